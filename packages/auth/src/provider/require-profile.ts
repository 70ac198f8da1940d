import { type Client, errors } from "oidc-provider";
import { isFapi2, ownerOf } from "./application-client.ts";

/** How long a code of profile fapi2 may live (FAPI 2.0 5.3.2.1), in seconds. */
const FAPI2_CODE_SECONDS = 60;

/** Refuses with `unauthorized_client` an application of profile cobs while the bank requires fapi2. */
export function requireProfile(client: Client, requiresFapi2: () => boolean): void {
  if (ownerOf(client) === undefined || isFapi2(client) || !requiresFapi2()) return;
  throw new errors.UnauthorizedClient("this bank requires profile fapi2 of applications");
}

/** How long the code of a client lives, in seconds. */
export function codeLifetimeOf(client: Client, configuredSeconds: number): number {
  return isFapi2(client) ? Math.min(FAPI2_CODE_SECONDS, configuredSeconds) : configuredSeconds;
}
