import type { ConfigurationReader } from "@cobs/service-edge";
import type { TermsOfKeys } from "./server-key.ts";

const DAY_SECONDS = 86_400;

/** Tolerated difference between clocks. */
const CLOCK_SECONDS = 60;
/** Far longer than a session or an interaction lives; each of their answers sets new cookies. */
const COOKIES_SECONDS = 3_600;
/** Long enough, because processes look every second. */
const COOKIE_KEY_ANNOUNCED_SECONDS = 10;

/** Reads how long keys stay in each state. A signature is of no use for longer than an access token lives. */
export function readKeyTerms(read: ConfigurationReader): TermsOfKeys {
  const days = (name: string) => read.integer(name) * DAY_SECONDS;
  return read.together<TermsOfKeys>({
    signing: () =>
      read.together({
        lifetimeSeconds: () => days("SIGNING_KEY_LIFETIME_DAYS"),
        // A verifier that meets an unknown key asks for the key set again after five seconds.
        announcedSeconds: () => read.integer("SIGNING_KEY_ANNOUNCED_SECONDS"),
        retiredSeconds: () => read.integer("ACCESS_TOKEN_LIFETIME_SECONDS") + CLOCK_SECONDS,
      }),
    cookie: () => ({
      lifetimeSeconds: days("COOKIE_KEY_LIFETIME_DAYS"),
      announcedSeconds: COOKIE_KEY_ANNOUNCED_SECONDS,
      retiredSeconds: COOKIES_SECONDS,
    }),
  });
}
