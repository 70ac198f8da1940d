/** Our tokens never have a dot; a JWT always has. */
const STRUCTURED = /\./;
const UNKNOWN = "structured";

/**
 * Replaces a JWT in the form of an introspection or revocation by an unknown token: the provider refuses a JWT as
 * unsupported, while any other made-up token is inactive (RFC 7662 2.2) or already revoked (RFC 7009 2.2).
 */
export function withoutStructuredToken(form: URLSearchParams): URLSearchParams {
  const [token, ...others] = form.getAll("token");
  if (token === undefined || others.length > 0 || !STRUCTURED.test(token)) return form;
  const replaced = new URLSearchParams(form);
  replaced.set("token", UNKNOWN);
  return replaced;
}
