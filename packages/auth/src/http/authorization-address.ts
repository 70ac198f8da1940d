import { hidesOtherBytes } from "@cobs/service-edge";
import { AuthorizationRefusal } from "../provider/authorization-refusal.ts";
import { holdsNul, readAuthorizationParameters } from "./authorization-parameters.ts";

/**
 * The address of an authorization request as the provider is to read it. Refuses as `AuthorizationRefusal` a value with
 * NUL, and what is not UTF-8: of a `state` the application would get back another (RFC 6749 4.1.2, appendix B).
 */
export function readAuthorizationAddress(address: string): string {
  const start = address.indexOf("?");
  if (start < 0) return address;
  const query = address.slice(start + 1);
  const sent = new URLSearchParams(query);
  if (hidesOtherBytes(query, sent)) {
    throw new AuthorizationRefusal("invalid_request", 400, "the query is not UTF-8");
  }
  if (holdsNul(sent)) throw new AuthorizationRefusal("invalid_request", 400, "a parameter holds NUL");
  return `${address.slice(0, start)}?${readAuthorizationParameters(sent)}`;
}
