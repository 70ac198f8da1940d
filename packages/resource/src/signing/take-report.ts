import type { Log } from "@cobs/service-edge";
import type { SigningRequestId } from "../payments/payment-ids.ts";
import type { PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import type { SigningReport } from "./signing-authority.ts";

/** Where auth's report goes: the payment store and the log. */
export interface ReportParts {
  readonly store: Pick<
    PaymentStore,
    "takeApproval" | "takeRefusal" | "takeExpiry" | "takeCancellation" | "takeConsentEnd"
  >;
  readonly log: Log;
}

/**
 * Takes the outcome of a request into its payment; does nothing while the request waits. A request that auth does not have
 * can be approved by nobody, and counts as cancelled. Taking the same report again changes nothing.
 */
export async function takeReport(
  { store, log }: ReportParts,
  { requestId, report }: { readonly requestId: SigningRequestId; readonly report: SigningReport | undefined },
  act: PaymentAct,
): Promise<void> {
  switch (report?.state) {
    case "waiting":
      return;
    case "approved": {
      const taken = await store.takeApproval(report.approval, act);
      // The PSU approved something else than is stored: whoever could change either of them is inside the bank.
      if (taken.result === "refused")
        log.error({ ...taken, signing: requestId }, "an approval was not accepted");
      return;
    }
    case "refused":
      return void (await store.takeRefusal(requestId, report.reason, act));
    case "expired":
      return void (await store.takeExpiry(requestId, act));
    case "cancelled":
      if (report.because === "consent_ended") return void (await store.takeConsentEnd(requestId, act));
      return void (await store.takeCancellation(requestId, act));
    default:
      return void (await store.takeCancellation(requestId, act));
  }
}
