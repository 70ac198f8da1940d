const PLAIN = /^[\w@%+=:,./-]+$/;

/** A text as one word of a shell's command line: in quotes where the shell would take it for more. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
