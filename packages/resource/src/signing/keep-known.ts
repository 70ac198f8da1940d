import type { Log } from "@cobs/service-edge";
import type { PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import type { KnownSigning } from "./signing-authority.ts";

/** Keeps that auth has an order of which nothing was known here; false when it is known by now, or the payment waits no more. */
export async function keepKnown(
  { store, log }: { readonly store: Pick<PaymentStore, "attachKnown">; readonly log: Log },
  { requestId, ...signing }: KnownSigning,
  act: PaymentAct,
): Promise<boolean> {
  const isKept = await store.attachKnown(signing, requestId, act);
  if (isKept)
    log.info(
      { paymentId: signing.paymentId, signing: requestId },
      "auth has an order of which nothing was known here",
    );
  return isKept;
}
