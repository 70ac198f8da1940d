import { ContentRefusal, presentSigningStart } from "@cobs/cobs-model";
import type { OnBehalf } from "@cobs/service-edge";
import { statusOf } from "../payments/payment-statuses.ts";
import { ownerIn } from "../payments/require-payment.ts";
import { requireSigning } from "../signing/require-signing.ts";
import { startSigning } from "../signing/start-signing.ts";
import { SIGNING_START } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { readSigningIds, type SigningIds } from "./read-signing-ids.ts";
import { readStep, USERAGENT_REDIRECT } from "./signing-methods.ts";

/** What a call asks for. */
interface SigningStartCall extends SigningIds {
  readonly returnUrl: string | undefined;
  readonly call: OnBehalf;
}

/** Serves `POST /my/payments/{paymentId}/sign/{signId}` (COBS 3.2.10): tells where the PSU's browser goes. */
export function signingStart({ signing }: PaymentParts): OfferedResource<SigningStartCall> {
  return {
    resource: SIGNING_START,
    read: async (call) => {
      const { step, faults } = await readStep(call);
      const query = { ...readSigningIds(call), returnUrl: step?.redirectUrl, call };
      return { query, faults };
    },
    answer: async (admission, { query: { returnUrl, call, ...ids }, faults }) => {
      const wanted = { ...ids, owner: ownerIn(admission) };
      const found = await requireSigning(signing.store, wanted);
      if (faults.length > 0) throw new ContentRefusal(faults);
      const { tpp } = admission;
      const { payment, url } = await startSigning(signing, { found, tpp, returnUrl, call });
      return { status: 200, json: presentSigningStart(USERAGENT_REDIRECT, url, statusOf(payment).signInfo) };
    },
  };
}
