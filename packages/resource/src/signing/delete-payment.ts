import type { Clock, Log } from "@cobs/service-edge";
import { MOST_SIGNINGS } from "../payments/payment-moves.ts";
import type { DeletionOutcome, OwnedPayment, PaymentStore } from "../payments/payment-store.ts";
import type { SigningAuthority } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";
import { type ReportParts, takeReport } from "./take-report.ts";

/** What deleting takes. */
export interface DeletionParts extends ReportParts {
  readonly store: ReportParts["store"] & Pick<PaymentStore, "delete">;
  readonly authority: Pick<SigningAuthority, "cancel">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Deletes a payment that nobody has approved (COBS 3.2.7). Where auth has the order, its request is ended there first and the
 * end taken here: whatever the PSU does at that moment, it is either approved or deleted, and auth alone decides which. One
 * that is past deletion stays as it is.
 */
export async function deletePayment(
  parts: DeletionParts,
  owned: OwnedPayment,
  requestId: string,
): Promise<Exclude<DeletionOutcome["result"], "asked">> {
  // The TPP itself may start further authorizations meanwhile, of which there are not many.
  for (let attempt = 0; attempt <= MOST_SIGNINGS; attempt += 1) {
    const act = { now: parts.clock.now(), requestId };
    const outcome = await parts.store.delete(owned, act);
    if (outcome.result !== "asked") return outcome.result;
    const report = await parts.authority.cancel(outcome.requestId, { requestId });
    await takeReport(parts, { requestId: outcome.requestId, report }, act);
  }
  throw new SigningRefusal("answer_of_other", "a request that was ended still waits");
}
