/** Spaces, dashes as keyboards put them in place of a hyphen, and marks of direction and the like, copied along unseen. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}]/gu;

/** A code as it was made, of what people paste, or type who group its digits as they were shown or read aloud. */
export function readTypedCode(typed: string): string {
  return typed.replace(SEPARATORS, "");
}
