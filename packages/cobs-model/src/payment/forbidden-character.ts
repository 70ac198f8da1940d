const SEEN = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const MISPLACED_SLASH = /^\/|\/$|\/\//;

/**
 * Describes why a text is not permitted (COBS 3.2.1): its first forbidden character, also by number, because some are
 * invisible; or a misplaced slash or space. Nothing else of the text is repeated.
 */
export function describeForbidden(text: string, isPermitted: (text: string) => boolean): string {
  // Between letters, only the character itself can be the reason.
  const forbidden = [...text].find((character) => !isPermitted(`a${character}a`));
  if (forbidden !== undefined) return `has ${nameOf(forbidden)}, which is not permitted`;
  return MISPLACED_SLASH.test(text)
    ? "must not begin or end with a slash, or have two in a row"
    : "must not begin or end with a space";
}

function nameOf(character: string): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return SEEN.test(character) ? `${character} (${number})` : number;
}
