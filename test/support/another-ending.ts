/** The same text of letters and digits with another last character: a secret or an identifier that was never given. */
export function withAnotherEnd(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith("a") ? "b" : "a"}`;
}
