import { type Repeat, type Repeated, startBatches } from "@cobs/service-edge";
import type { PaymentStore } from "../payments/payment-store.ts";
import type { ExecutionParts } from "./execute-payments.ts";

/** What looking for them needs. */
export type RestoringParts = Pick<ExecutionParts, "clock" | "log" | "metrics"> & {
  readonly store: Pick<PaymentStore, "restorePlaces">;
};

const BATCH = 100;
const TERMS = {
  failure: "approved payments without an outbox row could not be looked for",
  lookMilliseconds: 60_000,
  busyMilliseconds: 50,
};

/**
 * Finds approved payments whose outbox row is missing because somebody deleted it, soon after the start and every minute,
 * until it is stopped. They are executed like any other, after a look-up at the bank. Those that a clock far ahead has
 * put off are due again.
 */
export function startRestoringPlaces(parts: RestoringParts, again?: Repeat): Repeated {
  const { log } = parts;
  return startBatches(async () => (await restore(parts)) >= BATCH, { ...TERMS, log, again });
}

async function restore({ store, clock, log, metrics }: RestoringParts): Promise<number> {
  const restored = await store.restorePlaces(BATCH, { now: clock.now(), requestId: undefined });
  for (const paymentId of restored) {
    metrics.count("restored");
    log.error({ paymentId }, "an approved payment had lost its place before the bank; it is looked up there");
  }
  return restored.length;
}
