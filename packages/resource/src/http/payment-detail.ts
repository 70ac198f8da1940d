import { ContentRefusal, presentPayment } from "@cobs/cobs-model";
import { presentedPaymentOf } from "../payments/payment-statuses.ts";
import { requireOwned, requirePayment } from "../payments/require-payment.ts";
import { PAYMENT_DETAIL } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import type { PaymentParts } from "./payment-parts.ts";

/** Serves `GET /my/payments/{paymentId}` (COBS 3.2.6), for a payment in any state. */
export function paymentDetail({ signing: { store } }: PaymentParts): OfferedResource<string> {
  return {
    resource: PAYMENT_DETAIL,
    read: (call) => ({ query: call.parameters.paymentId ?? "", faults: [] }),
    answer: async (admission, { query, faults }) => {
      const payment = await requirePayment(store, requireOwned(admission, query));
      if (faults.length > 0) throw new ContentRefusal(faults);
      return { status: 200, json: presentPayment(presentedPaymentOf(payment)) };
    },
  };
}
