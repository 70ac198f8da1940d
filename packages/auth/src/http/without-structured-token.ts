/** No token of ours has a dot; a JWT always has. */
const STRUCTURED = /\./;
const UNKNOWN = "structured";

/**
 * The form of an introspection or revocation, with a token that cannot be ours replaced by one that is not: the provider
 * refuses a JWT as unsupported, where any other made-up token is inactive (RFC 7662 2.2) or revoked already (RFC 7009 2.2).
 */
export function withoutStructuredToken(form: URLSearchParams): URLSearchParams {
  const [token, ...others] = form.getAll("token");
  if (token === undefined || others.length > 0 || !STRUCTURED.test(token)) return form;
  const replaced = new URLSearchParams(form);
  replaced.set("token", UNKNOWN);
  return replaced;
}
