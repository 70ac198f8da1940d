const limitCharacters = 300;
/**
 * Control, invisible and direction-changing characters, line separators and halves of characters; also letters and signs that
 * are drawn as nothing, like a gap.
 */
const illegible =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}\uFFFC]/gu;
/** Piled-up accents run into the lines above and below. */
const pile = /(\p{M}{3})\p{M}+/gu;

/** Returns a stranger's text as one line that neither forges nor breaks others; characters cut off are counted. */
export function legible(text: string): string {
  const start = text.slice(0, limitCharacters);
  const rest = text.length - start.length;
  const line = start.replace(illegible, "?").replace(pile, "$1");
  return rest === 0 ? line : `${line}… (${rest} more ${rest === 1 ? "character" : "characters"})`;
}
