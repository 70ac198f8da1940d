import { type Repeat, type Repeated, startBatches } from "@cobs/service-edge";
import type { PaymentStore } from "../payments/payment-store.ts";
import type { UnendedPlace } from "../payments/restored-places.ts";
import type { ExecutionParts } from "./execute-payments.ts";

/** What looking for them needs. */
export type RestoringParts = Pick<ExecutionParts, "clock" | "log" | "metrics"> & {
  readonly store: Pick<PaymentStore, "restorePlaces">;
};

/** So many are looked at in one statement. */
const BATCH = 2_000;
const TERMS = {
  failure: "approved payments without an outbox row could not be looked for",
  lookMilliseconds: 60_000,
  busyMilliseconds: 50,
};

/**
 * Finds approved payments whose outbox row is missing because somebody deleted it, soon after the start and every minute, until
 * it is stopped; those that have not ended are looked through in batches. They are executed like any other, after a look-up at
 * the bank. Those that a clock far ahead has put off are due again.
 */
export function startRestoringPlaces(parts: RestoringParts, again?: Repeat): Repeated {
  const { store, clock, log, metrics } = parts;
  let after: UnendedPlace | undefined;
  async function restore(): Promise<boolean> {
    const by = { now: clock.now(), requestId: undefined };
    const { restored, failures, last } = await store.restorePlaces(BATCH, by, after);
    // Behind those that cannot be seen to, and from the front again after the last.
    after = last;
    for (const paymentId of restored) {
      metrics.count("restored");
      log.error(
        { paymentId },
        "an approved payment had lost its place before the bank; it is looked up there",
      );
    }
    if (failures.length > 0) throw failures[0];
    return last !== undefined;
  }
  return startBatches(restore, { ...TERMS, log, again });
}
