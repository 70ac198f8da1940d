import type { Clock, Log, OnBehalf } from "@cobs/service-edge";
import { MOST_SIGNINGS } from "../payments/payment-moves.ts";
import type { DeletionOutcome, OwnedPayment, PaymentStore } from "../payments/payment-store.ts";
import type { SigningAuthority } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";
import { type ReportParts, takeReport } from "./take-report.ts";

/** Dependencies of a deletion. */
export interface DeletionParts extends ReportParts {
  readonly store: ReportParts["store"] & Pick<PaymentStore, "delete">;
  readonly authority: Pick<SigningAuthority, "cancel">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Deletes a payment that nobody has approved (COBS 3.2.7). If auth has the order, auth ends its request first, and that end
 * is then taken here. Whatever the PSU does at that moment, the payment is either approved or deleted, and auth alone decides
 * which. A payment that can no longer be deleted stays as it is.
 */
export async function deletePayment(
  parts: DeletionParts,
  owned: OwnedPayment,
  call: OnBehalf,
): Promise<Exclude<DeletionOutcome["result"], "asked">> {
  // Meanwhile the TPP itself may start further authorizations, of which a payment can have only a few.
  for (let attempt = 0; attempt <= MOST_SIGNINGS; attempt += 1) {
    const act = { now: parts.clock.now(), requestId: call.requestId };
    const outcome = await parts.store.delete(owned, act);
    if (outcome.result !== "asked") return outcome.result;
    const report = await parts.authority.cancel(outcome.requestId, call);
    await takeReport(parts, { requestId: outcome.requestId, report }, act);
  }
  throw new SigningRefusal("answer_of_other", "a request that was ended still waits");
}
