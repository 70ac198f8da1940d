import type { Log } from "@cobs/service-edge";
import type { PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import type { KnownSigning } from "./signing-authority.ts";

/**
 * Attaches a request that auth has and that was unknown here. Returns false when it is known by now, or the payment no longer
 * waits.
 */
export async function keepKnown(
  { store, log }: { readonly store: Pick<PaymentStore, "attachKnown">; readonly log: Log },
  { requestId, ...signing }: KnownSigning,
  act: PaymentAct,
): Promise<boolean> {
  const isKept = await store.attachKnown(signing, requestId, act);
  if (isKept)
    log.info(
      { paymentId: signing.paymentId, signing: requestId },
      "found a signing request at auth that was not recorded here",
    );
  return isKept;
}
