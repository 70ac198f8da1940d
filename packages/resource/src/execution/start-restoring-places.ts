import { type CountJob, type Repeated, startListBatches } from "@cobs/service-edge";
import type { PaymentStore } from "../payments/payment-store.ts";
import type { RestoredPlaces, UnendedCursor } from "../payments/restored-places.ts";
import type { ExecutionParts } from "./execute-payments.ts";

/** Dependencies of restoring places. */
export type RestoringParts = Pick<ExecutionParts, "clock" | "log" | "metrics"> & {
  readonly store: Pick<PaymentStore, "restorePlaces">;
  readonly countJob?: CountJob;
};

/** Payments that one statement looks at. */
const BATCH = 2_000;
const TERMS = {
  failure: "the search for approved payments without an outbox row failed",
  lookMilliseconds: 60_000,
  busyMilliseconds: 50,
};

/**
 * Finds approved payments whose outbox row is missing because somebody deleted it, soon after the start and every minute,
 * until it is stopped. It looks through those that have not ended in batches. They are executed like any other, after a
 * look-up at the bank. Payments that the database has postponed while its clock was ahead are due again soon.
 */
export function startRestoringPlaces(parts: RestoringParts): Repeated {
  const { store, clock, log, metrics, countJob } = parts;
  async function restore(after: UnendedCursor | undefined): Promise<RestoredPlaces> {
    const act = { now: clock.now(), requestId: undefined };
    const places = await store.restorePlaces(BATCH, act, after);
    for (const paymentId of places.restored) {
      metrics.count("restored");
      log.error({ paymentId }, "an approved payment had lost its outbox row; the bank is asked about it");
    }
    return places;
  }
  return startListBatches(restore, { ...TERMS, log, again: countJob?.("payment_places") });
}
