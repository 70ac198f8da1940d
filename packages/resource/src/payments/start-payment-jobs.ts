import { type Clock, type JobParts, type Repeated, startPlacedBatches } from "@cobs/service-edge";
import { startForgetting } from "../forgetting/start-forgetting.ts";
import { KEY_LIFETIME_MILLISECONDS } from "./enter-payment-postgres.ts";
import type { OverduePlace, PaymentStore } from "./payment-store.ts";

const EXPIRY_BATCH = 100;
const EXPIRY = { failure: "payments could not be ended", lookMilliseconds: 1_000, busyMilliseconds: 0 };
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface PaymentJobParts<Act extends keyof PaymentStore> extends JobParts {
  readonly store: Pick<PaymentStore, Act>;
}

/**
 * Writes the end of payments that nobody has approved in time, within a second or so, until it is stopped; those that cannot be
 * ended do not keep others from it. No decision depends on it: nobody can have such a payment approved, whoever asks for it.
 */
export function startExpiringPayments(
  parts: PaymentJobParts<"expireUnsigned"> & { readonly clock: Clock },
): Repeated {
  const { store, clock, log, again } = parts;
  const expire = (after: OverduePlace | undefined) =>
    store.expireUnsigned(EXPIRY_BATCH, { now: clock.now(), requestId: undefined }, after);
  return startPlacedBatches(expire, { ...EXPIRY, log, again });
}

/**
 * Deletes payments that ended more than `retentionDays` ago (at least one: COBS 3.2.5 and 3.2.6 then answer 404, and the
 * instruction identification may be used again), and idempotency keys after a day, until it is stopped.
 */
export function startForgettingPayments(
  parts: PaymentJobParts<"forgetOld">,
  retentionDays: number,
): Repeated {
  const { store, log, again } = parts;
  const finishedMilliseconds = retentionDays * DAY_MILLISECONDS;
  const old = { finishedMilliseconds, keysMilliseconds: KEY_LIFETIME_MILLISECONDS };
  const failure = "old payments could not be deleted";
  return startForgetting((limit) => store.forgetOld({ ...old, limit }), { log, failure, again });
}
