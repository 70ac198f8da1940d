/**
 * Brings a username into the one form in which it is kept and compared: letter case, width and outer spaces do not matter. NUL,
 * which the database cannot hold, becomes a character that no username has.
 */
export function normaliseUsername(typed: string): string {
  return typed.normalize("NFKC").replaceAll("\0", "\uFFFD").trim().toLowerCase();
}
