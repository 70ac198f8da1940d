import { type Client, errors } from "oidc-provider";
import { isFapi2, ownerOf } from "./application-client.ts";

/** Longest lifetime of a code of profile fapi2 (FAPI 2.0 5.3.2.1), in seconds. */
const FAPI2_CODE_SECONDS = 60;

/** Refuses with `unauthorized_client` an application of profile cobs while the bank requires fapi2. */
export function requireProfile(client: Client, requiresFapi2: () => boolean): void {
  if (ownerOf(client) === undefined || isFapi2(client) || !requiresFapi2()) return;
  throw new errors.UnauthorizedClient("this bank requires applications to have profile fapi2");
}

/** Lifetime of a client's codes, in seconds. */
export function codeLifetimeOf(client: Client, configuredSeconds: number): number {
  return isFapi2(client) ? Math.min(FAPI2_CODE_SECONDS, configuredSeconds) : configuredSeconds;
}
