import { ContentRefusal, presentSigningOutcome } from "@cobs/cobs-model";
import { ownerIn } from "../payments/require-payment.ts";
import { requireSigning } from "../signing/require-signing.ts";
import { SIGNING_OVER } from "../signing/start-signing.ts";
import { SIGNING_OUTCOME } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { readSigningIds, type SigningIds } from "./read-signing-ids.ts";
import { findFaultsOfMethod, POLL_INTERVAL_MILLISECONDS } from "./signing-methods.ts";

/**
 * Serves `PUT /my/payments/{paymentId}/sign/{signId}` (COBS 3.2.11): whether the PSU has signed. It finishes nothing, because
 * auth's page does. An authorization that ended without a signature is refused with AUTH_LIMIT_EXCEEDED (COBS 3.2.11); `GET`
 * tells how it ended.
 */
export function signingOutcome({ signing: { store } }: PaymentParts): OfferedResource<SigningIds> {
  return {
    resource: SIGNING_OUTCOME,
    read: async (call) => ({ query: readSigningIds(call), faults: await findFaultsOfMethod(call) }),
    answer: async (admission, { query, faults }) => {
      const { state } = await requireSigning(store, { ...query, owner: ownerIn(admission) });
      if (faults.length > 0) throw new ContentRefusal(faults);
      if (state !== "OPEN" && state !== "DONE") throw new ContentRefusal([SIGNING_OVER]);
      return { status: 200, json: presentSigningOutcome(state, POLL_INTERVAL_MILLISECONDS) };
    },
  };
}
