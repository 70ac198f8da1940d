import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { Admission } from "../admission/admission.ts";
import type { Payment } from "./payment.ts";
import { findPaymentId } from "./payment-ids.ts";
import type { OwnedPayment, PaymentStore } from "./payment-store.ts";

/** Unknown, deleted and foreign payments look alike; of a payment it is told with this code (COBS 3.2.5 to 3.2.8). */
export const TRANSACTION_MISSING: Fault = {
  code: "TRANSACTION_MISSING",
  path: "paymentId",
  message: "there is no such payment of this TPP",
};

/** To its owners alone: the code is the same, and the payment is one that they can read. */
export const PAST_DELETION: Fault = {
  ...TRANSACTION_MISSING,
  message: "this payment can no longer be deleted: it was approved, or is over",
};

/** As {@link PAST_DELETION}. */
export const PAST_SIGNING: Fault = {
  ...TRANSACTION_MISSING,
  message:
    "this payment can no longer be signed: it was approved, is over, or had as many authorizations as it may have",
};

/** Who may know of a payment (COBS 3.2.5 to 3.2.11): the TPP by its certificate, and for the PSU of its token. */
export function ownerIn(admission: Admission): Omit<OwnedPayment, "id"> {
  const { organisationIdentifier } = admission.tpp;
  return admission.kind === "psu"
    ? { organisationIdentifier, psu: admission.psu }
    : { organisationIdentifier };
}

/** The payment of a path and who may know of it; refuses with TRANSACTION_MISSING for what is no id at all. */
export function requireOwned(admission: Admission, text: string): OwnedPayment {
  const id = findPaymentId(text);
  if (id === undefined) throw new ContentRefusal([TRANSACTION_MISSING]);
  return { ...ownerIn(admission), id };
}

/**
 * Refuses a call with faults: with TRANSACTION_MISSING where there is no such payment, for 404 comes before 400 (COBS 1.2.10.1).
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

/** The payment as it is; refuses with TRANSACTION_MISSING. */
export async function requirePayment(
  store: Pick<PaymentStore, "find">,
  owned: OwnedPayment,
): Promise<Payment> {
  const payment = await store.find(owned);
  if (payment === undefined) throw new ContentRefusal([TRANSACTION_MISSING]);
  return payment;
}
