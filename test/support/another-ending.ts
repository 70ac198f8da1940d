/** Changes the last character of a text of letters and digits, for a secret or identifier that was never issued. */
export function withAnotherEnd(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith("a") ? "b" : "a"}`;
}
