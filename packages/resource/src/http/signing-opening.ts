import { ContentRefusal, presentSigning } from "@cobs/cobs-model";
import { createSignId } from "../payments/payment-ids.ts";
import { statusOf } from "../payments/payment-statuses.ts";
import {
  PAST_SIGNING,
  requireFaultless,
  requireOwned,
  TRANSACTION_MISSING,
} from "../payments/require-payment.ts";
import { SIGNING_OPENING } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { type PaymentInPath, readPaymentInPath } from "./read-payment-in-path.ts";
import { SCENARIOS } from "./signing-methods.ts";

/**
 * `POST /my/payments/{paymentId}/sign` (COBS 3.2.8): the authorization that is open, or a new one where the last has ended.
 * There is none for a payment that needs none any more, or had as many as there may be: 404 with the code of none.
 */
export function signingOpening({ signing: { store, clock } }: PaymentParts): OfferedResource<PaymentInPath> {
  return {
    resource: SIGNING_OPENING,
    read: (call) => ({ query: readPaymentInPath(call), faults: [] }),
    answer: async (admission, { query: { paymentId, requestId }, faults }) => {
      const owned = requireOwned(admission, paymentId);
      await requireFaultless(store, owned, faults);
      const opened = await store.openSigning(owned, createSignId(), { now: clock.now(), requestId });
      if (opened.result === "unknown") throw new ContentRefusal([TRANSACTION_MISSING]);
      if (opened.result === "refused") throw new ContentRefusal([PAST_SIGNING]);
      return { status: 200, json: presentSigning(SCENARIOS, statusOf(opened.payment).signInfo) };
    },
  };
}
