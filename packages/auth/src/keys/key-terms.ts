import type { ConfigurationReader } from "@cobs/service-edge";
import type { TermsOfKeys } from "./server-key.ts";

const DAY_SECONDS = 86_400;

/** Clocks may differ by so much. */
const CLOCK_SECONDS = 60;
/** Far longer than a session or an interaction lives, each answer of which brings new cookies. */
const COOKIES_SECONDS = 3_600;
/** Processes look every second. */
const COOKIE_KEY_ANNOUNCED_SECONDS = 10;

/** Reads how long keys are what; nothing that a signing key has signed is of use for longer than an access token lives. */
export function readKeyTerms(read: ConfigurationReader): TermsOfKeys {
  const days = (name: string) => read.integer(name) * DAY_SECONDS;
  return read.together<TermsOfKeys>({
    signing: () =>
      read.together({
        lifetimeSeconds: () => days("SIGNING_KEY_LIFETIME_DAYS"),
        // Whoever meets an unknown key asks for the key set again after five seconds.
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
