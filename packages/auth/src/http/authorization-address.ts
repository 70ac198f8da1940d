import { AuthorizationRefusal } from "../journey/authorization-refusal.ts";

const OPENID_PARAMETERS = ["acr_values", "claims", "claims_locales", "id_token_hint", "max_age", "nonce"];
const RESPONSE_MODE = "response_mode";
const OFFERED_MODES = ["", "query"];
/** A mode that the provider does not know either, whose refusal goes back in the query. */
const UNKNOWN_MODE = "unsupported";

/** The provider knows more ways to answer than are offered, and would answer the refusal of one in that very way. */
function offeredMode([name, value]: [string, string]): [string, string] {
  return name === RESPONSE_MODE && !OFFERED_MODES.includes(value) ? [name, UNKNOWN_MODE] : [name, value];
}

/**
 * The address of an authorization request as the provider is to read it. The parameters that OpenID Connect alone knows
 * are left out: they have to be ignored (RFC 6749 3.1), where the provider would refuse them without the scope `openid`;
 * what `max_age` asks for is done for every request. Refuses as `AuthorizationRefusal` a value with NUL, which no
 * parameter may hold (RFC 6749 appendix A) and the database cannot.
 */
export function readAuthorizationAddress(address: string): string {
  const start = address.indexOf("?");
  if (start < 0) return address;
  const sent = [...new URLSearchParams(address.slice(start))];
  if (sent.some(([, value]) => value.includes("\0"))) {
    throw new AuthorizationRefusal("invalid_request", 400, "a parameter holds NUL");
  }
  const kept = sent.filter(([name]) => !OPENID_PARAMETERS.includes(name)).map(offeredMode);
  return `${address.slice(0, start)}?${new URLSearchParams(kept)}`;
}
