import { ContentRefusal } from "@cobs/cobs-model";
import {
  PAST_DELETION,
  requireFaultless,
  requireOwned,
  TRANSACTION_MISSING,
} from "../payments/require-payment.ts";
import { deletePayment } from "../signing/delete-payment.ts";
import { PAYMENT_DELETION } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { type PaymentInPath, readPaymentInPath } from "./read-payment-in-path.ts";

/** Serves `DELETE /my/payments/{paymentId}` (COBS 3.2.7): 200 without a body. */
export function paymentDeletion({ signing }: PaymentParts): OfferedResource<PaymentInPath> {
  return {
    resource: PAYMENT_DELETION,
    read: (call) => ({ query: readPaymentInPath(call), faults: [] }),
    answer: async (admission, { query: { paymentId, call }, faults }) => {
      const owned = requireOwned(admission, paymentId);
      await requireFaultless(signing.store, owned, faults);
      const result = await deletePayment(signing, owned, call);
      if (result === "unknown") throw new ContentRefusal([TRANSACTION_MISSING]);
      if (result === "wrong_state") throw new ContentRefusal([PAST_DELETION]);
      return { status: 200 };
    },
  };
}
