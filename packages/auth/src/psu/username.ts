/** A username in the one form in which it is kept and compared: letter case, width and outer spaces do not matter. */
export function normaliseUsername(typed: string): string {
  return typed.normalize("NFKC").trim().toLowerCase();
}
