const OPENID_PARAMETERS = ["acr_values", "claims", "claims_locales", "id_token_hint", "max_age", "nonce"];

/**
 * The address of an authorization request without the parameters that OpenID Connect alone knows: they have to be
 * ignored (RFC 6749 3.1), where the provider would refuse them without the scope `openid`. What `max_age` asks for is
 * done for every request.
 */
export function withoutOpenIdParameters(address: string): string {
  const start = address.indexOf("?");
  if (start < 0) return address;
  const parts = address.slice(start + 1).split("&");
  const kept = parts.filter((part) => !OPENID_PARAMETERS.includes(part.split("=", 1)[0] ?? ""));
  return `${address.slice(0, start)}?${kept.join("&")}`;
}
