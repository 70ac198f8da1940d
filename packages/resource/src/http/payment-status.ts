import { ContentRefusal, presentStatus } from "@cobs/cobs-model";
import type { Admission, OptionalPsuNeeds } from "../admission/admission.ts";
import { presentedPaymentOf } from "../payments/payment-statuses.ts";
import { requireOwned, requirePayment } from "../payments/require-payment.ts";
import { PAYMENT_STATUS } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import type { PaymentParts } from "./payment-parts.ts";

/** Serves `GET /payments/{paymentId}/status` (COBS 3.2.5) to the TPP itself; a token in the call does not change the answer. */
export function paymentStatus({
  signing: { store },
}: PaymentParts): OfferedResource<string, OptionalPsuNeeds, Admission> {
  return {
    resource: PAYMENT_STATUS,
    read: (call) => ({ query: call.parameters.paymentId ?? "", faults: [] }),
    answer: async ({ tpp }, { query, faults }) => {
      const owned = requireOwned({ kind: "tpp", tpp }, query);
      const payment = await requirePayment(store, owned);
      if (faults.length > 0) throw new ContentRefusal(faults);
      return { status: 200, json: presentStatus(presentedPaymentOf(payment)) };
    },
  };
}
