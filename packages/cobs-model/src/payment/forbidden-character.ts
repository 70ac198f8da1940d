const SEEN = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const MISPLACED_SLASH = /^\/|\/$|\/\//;

/**
 * What is said of a text that is not permitted (COBS 3.2.1): its first character that is not, by its number too, since some
 * are not seen; or where a slash or a space may not be. Nothing else of the text is repeated.
 */
export function describeForbidden(text: string, isPermitted: (text: string) => boolean): string {
  // Between letters, where only the character itself can be why.
  const forbidden = [...text].find((character) => !isPermitted(`a${character}a`));
  if (forbidden !== undefined) return `has ${nameOf(forbidden)}, which is not permitted`;
  return MISPLACED_SLASH.test(text)
    ? "has a slash at an end or beside another, which is not permitted"
    : "has a space at an end, which is not permitted";
}

function nameOf(character: string): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return SEEN.test(character) ? `${character} (${number})` : number;
}
