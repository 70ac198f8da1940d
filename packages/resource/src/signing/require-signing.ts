import { ContentRefusal, type Fault, type SigningState } from "@cobs/cobs-model";
import type { Payment } from "../payments/payment.ts";
import { findPaymentId, findSignId, type SignId } from "../payments/payment-ids.ts";
import { signingStateOf } from "../payments/payment-statuses.ts";
import type { OwnedPayment, PaymentStore } from "../payments/payment-store.ts";

/** An authorization as a path names it, and the owner that may know about it. */
export interface SigningInPath {
  readonly paymentId: string;
  readonly signId: string;
  readonly owner: Omit<OwnedPayment, "id">;
}

/** An authorization that exists, with its payment. */
export interface FoundSigning {
  readonly payment: Payment;
  readonly signId: SignId;
  readonly state: SigningState;
  readonly owned: OwnedPayment;
}

/**
 * Unknown, deleted and foreign payments look alike; the resources of an authorization answer with this code (COBS 3.2.9 to
 * 3.2.11).
 */
export const PAYMENT_UNKNOWN: Fault = {
  code: "ID_NOT_FOUND",
  path: "paymentId",
  message: "there is no such payment",
};

const SIGNING_UNKNOWN: Fault = {
  code: "ID_NOT_FOUND",
  path: "signId",
  message: "there is no such authorization of this payment",
};

/** Finds an authorization of a payment that its caller owns, or refuses with ID_NOT_FOUND at `paymentId` or `signId`. */
export async function requireSigning(
  store: Pick<PaymentStore, "find">,
  { paymentId, signId: text, owner }: SigningInPath,
): Promise<FoundSigning> {
  const id = findPaymentId(paymentId);
  const owned = id && { ...owner, id };
  const payment = owned && (await store.find(owned));
  if (owned === undefined || payment === undefined) throw new ContentRefusal([PAYMENT_UNKNOWN]);
  const signId = findSignId(text);
  const state = signId && signingStateOf(payment, signId);
  if (signId === undefined || state === undefined) throw new ContentRefusal([SIGNING_UNKNOWN]);
  return { payment, signId, state, owned };
}
