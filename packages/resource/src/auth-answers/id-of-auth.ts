/** Whether a value can be an id that auth has issued: of a consent, a signing request, or an approval. */
export function isIdOfAuth(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}
