import { hidesOtherBytes } from "@cobs/service-edge";
import { AuthorizationRefusal } from "../provider/authorization-refusal.ts";
import { holdsNul, isTooLong, readAuthorizationParameters } from "./authorization-parameters.ts";

/**
 * Rewrites the address of an authorization request for the provider. Refuses as `AuthorizationRefusal` what is too long, a value
 * with NUL, and bytes that are not UTF-8: the application would get back a different `state` (RFC 6749 4.1.2, appendix B).
 */
export function readAuthorizationAddress(address: string): string {
  const start = address.indexOf("?");
  if (start < 0) return address;
  const query = address.slice(start + 1);
  const sent = new URLSearchParams(query);
  if (hidesOtherBytes(query, sent)) {
    throw new AuthorizationRefusal("invalid_request", 400, "the query is not percent-encoded UTF-8");
  }
  if (holdsNul(sent))
    throw new AuthorizationRefusal("invalid_request", 400, "a parameter contains a NUL character");
  const parameters = readAuthorizationParameters(sent);
  if (isTooLong(parameters))
    throw new AuthorizationRefusal(
      "invalid_request",
      400,
      "the parameters are longer than those of a pushed request may be",
    );
  return `${address.slice(0, start)}?${parameters}`;
}
