import { AuthorizationRefusal } from "../journey/authorization-refusal.ts";
import { holdsNul, readAuthorizationParameters } from "./authorization-parameters.ts";

/**
 * The address of an authorization request as the provider is to read it. Refuses as `AuthorizationRefusal` a value with
 * NUL.
 */
export function readAuthorizationAddress(address: string): string {
  const start = address.indexOf("?");
  if (start < 0) return address;
  const sent = new URLSearchParams(address.slice(start));
  if (holdsNul(sent)) throw new AuthorizationRefusal("invalid_request", 400, "a parameter holds NUL");
  return `${address.slice(0, start)}?${readAuthorizationParameters(sent)}`;
}
