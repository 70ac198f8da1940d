import type { ConfigurationReader } from "@cobs/service-edge";
import { type BrowserAddresses, readBrowserAddresses } from "./caller-address.ts";

/** How often may be called in a minute, by whom each word says. As many may come at once. */
export interface RateLimitSettings {
  /** Of a TPP. */
  readonly applicationChanges: number;
  /** Of an application. */
  readonly pushedRequests: number;
  /** Of an application; revocations are counted apart, and as many. */
  readonly tokenRequests: number;
  /** For an application, by whichever browsers. */
  readonly authorizations: number;
  /** Of an address, from which many PSUs may come; authorizations and sign-ins are counted apart. */
  readonly addressRequests: number;
  /** Of a caller of the bank; look-ups of consents to card issuers are counted apart, and as many. */
  readonly introspections: number;
  readonly browserAddresses: BrowserAddresses;
}

/** Reads the rows of the limits. */
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
