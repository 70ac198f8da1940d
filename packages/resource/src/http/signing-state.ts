import { ContentRefusal, presentSigning } from "@cobs/cobs-model";
import { ownerIn } from "../payments/require-payment.ts";
import { requireSigning } from "../signing/require-signing.ts";
import { SIGNING_STATE } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { readSigningIds, type SigningIds } from "./read-signing-ids.ts";
import { SCENARIOS } from "./signing-methods.ts";

/** Serves `GET /my/payments/{paymentId}/sign/{signId}` (COBS 3.2.9), for every authorization that a payment has had. */
export function signingState({ signing: { store } }: PaymentParts): OfferedResource<SigningIds> {
  return {
    resource: SIGNING_STATE,
    read: (call) => ({ query: readSigningIds(call), faults: [] }),
    answer: async (admission, { query, faults }) => {
      const signing = { ...query, owner: ownerIn(admission) };
      const { state, signId } = await requireSigning(store, signing);
      if (faults.length > 0) throw new ContentRefusal(faults);
      return { status: 200, json: presentSigning(SCENARIOS, { state, signId }) };
    },
  };
}
