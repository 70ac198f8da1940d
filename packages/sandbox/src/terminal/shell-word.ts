const PLAIN = /^[\w@%+=:,./-]+$/;

/** Quotes a text as one word of a shell's command line, if necessary. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
