import {
  type Clock,
  type Log,
  type Repeat,
  type Repeated,
  repeat,
  soonAfterStart,
  tellFailure,
} from "@cobs/service-edge";
import { startForgetting } from "../forgetting/start-forgetting.ts";
import { KEY_LIFETIME_MILLISECONDS } from "./enter-payment-postgres.ts";
import type { PaymentStore } from "./payment-store.ts";

const EXPIRY_BATCH = 100;
const EXPIRY_LOOK_MILLISECONDS = 1_000;
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface JobParts<Act extends keyof PaymentStore> {
  readonly store: Pick<PaymentStore, Act>;
  readonly log: Log;
  readonly again?: Repeat;
}

/**
 * Writes the end of payments that nobody has approved in time, within a second or so, until it is stopped. No decision
 * depends on it: nobody can have such a payment approved, whoever asks for it.
 */
export function startExpiringPayments(
  parts: JobParts<"expireUnsigned"> & { readonly clock: Clock },
): Repeated {
  const { store, clock, log, again = repeat } = parts;
  const expire = () => store.expireUnsigned(EXPIRY_BATCH, { now: clock.now(), requestId: undefined });
  return again(
    async () => ((await expire()).length < EXPIRY_BATCH ? EXPIRY_LOOK_MILLISECONDS : 0),
    tellFailure(log, "payments could not be ended", EXPIRY_LOOK_MILLISECONDS),
    soonAfterStart(),
  );
}

/**
 * Deletes payments that ended more than `retentionDays` ago (at least one: COBS 3.2.5 and 3.2.6 then answer 404, and the
 * instruction identification may be used again), and idempotency keys after a day, until it is stopped.
 */
export function startForgettingPayments(parts: JobParts<"forgetOld">, retentionDays: number): Repeated {
  const { store, log, again } = parts;
  const finishedMilliseconds = retentionDays * DAY_MILLISECONDS;
  const old = { finishedMilliseconds, keysMilliseconds: KEY_LIFETIME_MILLISECONDS };
  const failure = "old payments could not be deleted";
  return startForgetting((limit) => store.forgetOld({ ...old, limit }), { log, failure, again });
}
