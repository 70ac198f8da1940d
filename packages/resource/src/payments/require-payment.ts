import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { Admission } from "../admission/admission.ts";
import type { Payment } from "./payment.ts";
import { findPaymentId } from "./payment-ids.ts";
import type { OwnedPayment, PaymentStore } from "./payment-store.ts";

/** Unknown, deleted and foreign payments look alike; the resources of a payment answer with this code (COBS 3.2.5 to 3.2.8). */
export const TRANSACTION_MISSING: Fault = {
  code: "TRANSACTION_MISSING",
  path: "paymentId",
  message: "there is no such payment of this TPP",
};

/** Told only to the payment's owners. The code is the same, but they can read the payment. */
export const PAST_DELETION: Fault = {
  ...TRANSACTION_MISSING,
  message: "this payment can no longer be deleted: it was approved, or has ended",
};

/** The same for signing, as {@link PAST_DELETION}. */
export const PAST_SIGNING: Fault = {
  ...TRANSACTION_MISSING,
  message:
    "this payment can no longer be signed: it was approved, has ended, or has had as many authorizations as it may have",
};

/**
 * Finds the owner that a call acts for (COBS 3.2.5 to 3.2.11): the TPP of its certificate, and the PSU of its token if there
 * is one.
 */
export function ownerIn(admission: Admission): Omit<OwnedPayment, "id"> {
  const { organisationIdentifier } = admission.tpp;
  return admission.kind === "psu"
    ? { organisationIdentifier, psu: admission.psu }
    : { organisationIdentifier };
}

/** Reads the payment of a path with its owner; refuses with TRANSACTION_MISSING for a text that is not an id. */
export function requireOwned(admission: Admission, text: string): OwnedPayment {
  const id = findPaymentId(text);
  if (id === undefined) throw new ContentRefusal([TRANSACTION_MISSING]);
  return { ...ownerIn(admission), id };
}

/**
 * Refuses a call that has faults. If there is no such payment, it refuses with TRANSACTION_MISSING, because 404 comes before
 * 400 (COBS 1.2.10.1).
 */
export async function requireFaultless(
  store: Pick<PaymentStore, "find">,
  owned: OwnedPayment,
  faults: readonly Fault[],
): Promise<void> {
  if (faults.length === 0) return;
  await requirePayment(store, owned);
  throw new ContentRefusal(faults);
}

/** Finds the payment as it is now; refuses with TRANSACTION_MISSING. */
export async function requirePayment(
  store: Pick<PaymentStore, "find">,
  owned: OwnedPayment,
): Promise<Payment> {
  const payment = await store.find(owned);
  if (payment === undefined) throw new ContentRefusal([TRANSACTION_MISSING]);
  return payment;
}
