import type { JobParts, Repeated } from "@cobs/service-edge";
import { startForgetting } from "../forgetting/start-forgetting.ts";
import { KEY_LIFETIME_MILLISECONDS } from "./enter-payment-postgres.ts";
import type { PaymentStore } from "./payment-store.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface PaymentJobParts<Act extends keyof PaymentStore> extends JobParts {
  readonly store: Pick<PaymentStore, Act>;
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
