import {
  type BothClocks,
  type CountJob,
  type Log,
  type Repeated,
  repeat,
  startForgetting,
  trustingDatabaseClock,
} from "@cobs/service-edge";
import { KEY_LIFETIME_MILLISECONDS } from "./enter-payment-postgres.ts";
import type { PaymentStore } from "./payment-store.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;

/** Dependencies of forgetting. */
export interface ForgettingParts extends BothClocks {
  readonly store: Pick<PaymentStore, "forgetOld">;
  readonly log: Log;
  readonly countJob?: CountJob;
}

/**
 * Deletes payments that ended more than `retentionDays` ago (at least one), and idempotency keys after a day, until it is
 * stopped. After that COBS 3.2.5 and 3.2.6 answer 404, and the instruction identification may be used again.
 */
export function startForgettingPayments(parts: ForgettingParts, retentionDays: number): Repeated {
  const { store, log, countJob = () => repeat } = parts;
  const finishedMilliseconds = retentionDays * DAY_MILLISECONDS;
  const old = { finishedMilliseconds, keysMilliseconds: KEY_LIFETIME_MILLISECONDS };
  const failure = "old payments could not be deleted";
  const again = trustingDatabaseClock(parts, countJob("payments_forgetting"));
  return startForgetting((limit) => store.forgetOld({ ...old, limit }), { log, failure, again });
}
