import {
  type Database,
  type Log,
  type Repeat,
  type Repeated,
  repeat,
  soonAfterStart,
  tellFailure,
} from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { EXPIRY_BATCH_CONSENTS, expireConsents } from "./expire-consents-postgres.ts";

const LOOK_MILLISECONDS = 5_000;
/** Between two batches, so that others get their turn at the feed. */
const BUSY_MILLISECONDS = 50;
const ACT: Act = { actor: { kind: "server", part: "consent expiry" }, requestId: undefined };

/**
 * Ends expired consents within seconds, until it is stopped; also those that expired while no process ran. No access
 * depends on it: an expired consent opens nothing from that moment on.
 */
export function startConsentExpiry({
  database,
  log,
  again = repeat,
}: {
  readonly database: Database;
  readonly log: Log;
  readonly again?: Repeat;
}): Repeated {
  const fail = tellFailure(log, "consents could not be ended", LOOK_MILLISECONDS);
  const round = async () => {
    const consents = await expireConsents(database, ACT);
    if (consents > 0) log.info({ consents }, "consents have expired");
    return consents < EXPIRY_BATCH_CONSENTS ? LOOK_MILLISECONDS : BUSY_MILLISECONDS;
  };
  return again(round, fail, soonAfterStart());
}
