/** Spaces, and dashes as keyboards put them in place of a hyphen. */
const SEPARATORS = /[\s\p{Pd}]/gu;

/** A code as it was made, of what people type who group its digits as they were shown or read aloud. */
export function readTypedCode(typed: string): string {
  return typed.replace(SEPARATORS, "");
}
