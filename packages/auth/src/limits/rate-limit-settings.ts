import type { ConfigurationReader } from "@cobs/service-edge";
import { type BrowserAddresses, readBrowserAddresses } from "./caller-address.ts";

/** Requests allowed per minute; as many may come at once. */
export interface RateLimitSettings {
  /** Per TPP. */
  readonly applicationChanges: number;
  /** Per application. */
  readonly pushedRequests: number;
  /** Per application; revocations are counted separately, with the same limit. */
  readonly tokenRequests: number;
  /** Per application, over all browsers. */
  readonly authorizations: number;
  /** Per address, which many PSUs may share; authorizations and sign-ins are counted separately. */
  readonly addressRequests: number;
  /** Per calling service of the bank; look-ups of consents to card issuers are counted separately, with the same limit. */
  readonly introspections: number;
  readonly browserAddresses: BrowserAddresses;
}

/** Reads the settings of the limits. */
export function readRateLimitSettings(read: ConfigurationReader): RateLimitSettings {
  return read.together<RateLimitSettings>({
    applicationChanges: () => read.integer("APPLICATION_CHANGES_PER_MINUTE"),
    pushedRequests: () => read.integer("PUSHED_REQUESTS_PER_MINUTE"),
    tokenRequests: () => read.integer("TOKEN_REQUESTS_PER_MINUTE"),
    authorizations: () => read.integer("AUTHORIZATIONS_PER_MINUTE"),
    addressRequests: () => read.integer("ADDRESS_REQUESTS_PER_MINUTE"),
    introspections: () => read.integer("INTROSPECTIONS_PER_MINUTE"),
    browserAddresses: () => readBrowserAddresses(read),
  });
}
