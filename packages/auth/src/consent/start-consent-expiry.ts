import { type Database, type JobParts, type Repeated, startBatches } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { EXPIRY_BATCH_CONSENTS, expireConsents } from "./expire-consents-postgres.ts";

const TERMS = {
  failure: "expired consents could not be ended",
  lookMilliseconds: 5_000,
  // The pause lets others append to the feed.
  busyMilliseconds: 50,
};
const ACT: Act = { actor: { kind: "server", part: "consent expiry" }, requestId: undefined };

/**
 * Ends expired consents within seconds, until stopped; also those that expired while no process ran. Access does not
 * depend on it: an expired consent opens nothing from that moment on.
 */
export function startConsentExpiry({
  database,
  ...parts
}: JobParts & { readonly database: Database }): Repeated {
  const expire = async () => {
    const consents = await expireConsents(database, ACT);
    if (consents > 0) parts.log.info({ consents }, "consents have expired");
    return consents === EXPIRY_BATCH_CONSENTS;
  };
  return startBatches(expire, { ...TERMS, ...parts });
}
