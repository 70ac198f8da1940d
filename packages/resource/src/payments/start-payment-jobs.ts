import {
  type Clock,
  isDatabaseUnavailable,
  type Log,
  type Repeat,
  type Repeated,
  type Round,
  repeat,
} from "@cobs/service-edge";
import { KEY_LIFETIME_MILLISECONDS } from "./enter-payment-postgres.ts";
import type { PaymentStore } from "./payment-store.ts";

const EXPIRY_BATCH = 100;
const EXPIRY_LOOK_MILLISECONDS = 1_000;
const FORGETTING_BATCH = 1_000;
const FORGETTING_LOOK_MILLISECONDS = 60_000;
/** Between two batches of what is deleted: others get a turn. */
const BUSY_MILLISECONDS = 50;
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface JobParts<Act extends keyof PaymentStore> {
  readonly store: Pick<PaymentStore, Act>;
  readonly log: Log;
  readonly countJob?: (job: string) => Repeat;
}

/**
 * Writes the end of payments that nobody has approved in time, within a second or so, until it is stopped. No decision
 * depends on it: nobody can have such a payment approved, whoever asks for it.
 */
export function startExpiringPayments(
  parts: JobParts<"expireUnsigned"> & { readonly clock: Clock },
): Repeated {
  const { store, clock, log } = parts;
  const again = parts.countJob?.("payments_expiry");
  const expire = () => store.expireUnsigned(EXPIRY_BATCH, { now: clock.now(), requestId: undefined });
  const round = async () => ((await expire()).length < EXPIRY_BATCH ? EXPIRY_LOOK_MILLISECONDS : 0);
  const failure = "payments could not be ended";
  return job(round, { log, failure, pause: EXPIRY_LOOK_MILLISECONDS, again });
}

/**
 * Deletes payments that ended more than `retentionDays` ago (at least one: COBS 3.2.5 and 3.2.6 then answer 404, and the
 * instruction identification may be used again), and idempotency keys after a day, until it is stopped.
 */
export function startForgettingPayments(parts: JobParts<"forgetOld">, retentionDays: number): Repeated {
  const { store, log } = parts;
  const again = parts.countJob?.("payments_forgetting");
  const finishedMilliseconds = retentionDays * DAY_MILLISECONDS;
  const old = { finishedMilliseconds, keysMilliseconds: KEY_LIFETIME_MILLISECONDS, limit: FORGETTING_BATCH };
  const forget = () => store.forgetOld(old);
  const round = async () =>
    (await forget()) < FORGETTING_BATCH ? FORGETTING_LOOK_MILLISECONDS : BUSY_MILLISECONDS;
  const failure = "old payments could not be deleted";
  return job(round, { log, failure, pause: FORGETTING_LOOK_MILLISECONDS, again });
}

interface JobFailure {
  readonly log: Log;
  readonly failure: string;
  readonly pause: number;
  readonly again: Repeat | undefined;
}

function job(round: Round, { log, failure, pause, again = repeat }: JobFailure): Repeated {
  return again(round, (error: unknown) => {
    if (!isDatabaseUnavailable(error)) log.error({ error }, failure);
    return pause;
  });
}
