/** Spaces, dashes that keyboards put in place of a hyphen, and invisible characters such as direction marks. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}]/gu;

/** Restores a code from what people paste, or type with its digits grouped as they were shown or read aloud. */
export function readTypedCode(typed: string): string {
  return typed.replace(SEPARATORS, "");
}
