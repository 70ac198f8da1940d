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
 * Serves `POST /my/payments/{paymentId}/sign` (COBS 3.2.8): gives the open authorization, or a new one if the last has ended.
 * A payment that needs none any more, or has had as many as allowed, gets 404 with TRANSACTION_MISSING.
 */
export function signingOpening({ signing: { store, clock } }: PaymentParts): OfferedResource<PaymentInPath> {
  return {
    resource: SIGNING_OPENING,
    read: (call) => ({ query: readPaymentInPath(call), faults: [] }),
    answer: async (admission, { query: { paymentId, call }, faults }) => {
      const owned = requireOwned(admission, paymentId);
      await requireFaultless(store, owned, faults);
      const opened = await store.openSigning(owned, createSignId(), {
        now: clock.now(),
        requestId: call.requestId,
      });
      if (opened.result === "unknown") throw new ContentRefusal([TRANSACTION_MISSING]);
      if (opened.result === "refused") throw new ContentRefusal([PAST_SIGNING]);
      return { status: 200, json: presentSigning(SCENARIOS, statusOf(opened.payment).signInfo) };
    },
  };
}
