/**
 * Payments that TPPs initiate (COBS 3.2.4). This folder owns the way from a request body to a payment that waits for
 * its PSU: parsed, checked by the bank, with its execution date and the bytes that the PSU will approve. It does not
 * own the rules of an order (cobs-model), what the bank may object to (bank), or that a payment is stored once
 * (payments).
 */
import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { PsuAdmission } from "../admission/admission.ts";
import { bytesOfOrder } from "../payments/order-bytes.ts";
import type { EnteredPayment, PaymentTerms } from "../payments/payment.ts";
import { createPaymentId, createSignId, type PaymentId } from "../payments/payment-ids.ts";
import type { EntryOutcome, IdempotencyKey, PaymentStore } from "../payments/payment-store.ts";
import type { QueuedPayers } from "../signing/queue-payers.ts";
import type { CountEntry } from "./count-entries.ts";
import { expiryOf } from "./payment-expiry.ts";
import { type InspectingBank, type ProvenOrder, requireOrder, textAt } from "./require-order.ts";

/** Dependencies of entering payments. */
export interface EntryParts {
  readonly bank: InspectingBank;
  readonly store: Pick<PaymentStore, "enter" | "findEntered" | "findInstruction">;
  readonly countEntry: CountEntry;
  /** Payers whose payments end with what they depend on. */
  readonly payers: Pick<QueuedPayers, "heard" | "putIfHeard">;
  readonly clock: Clock;
  /** Minutes that a PSU has to approve. */
  readonly unsignedPaymentMinutes: number;
}

/** What a TPP sends, as far as it could be parsed, and the faults that were found outside the body. */
export interface EntryInput {
  readonly body: unknown;
  readonly idempotency: IdempotencyKey | undefined;
  readonly faults: readonly Fault[];
  readonly requestId: string;
  /** `heard` of the queued payers before the call was admitted. */
  readonly heard: number;
}

/** The header with the key under which a request may be repeated. */
export const IDEMPOTENCY_KEY = "Idempotency-Key";

const INSTRUCTION = "paymentIdentification.instructionIdentification";

/**
 * Enters a payment once (PAY-01). A request that is repeated under its idempotency key gets the payment as it was entered,
 * even if the bank would object by now (the date has passed, the account is closed). Otherwise it refuses with every fault of
 * order and account together. If the instruction identification is taken, AM05 is among them, so that a TPP that has lost an
 * answer learns of the payment. A key that came with another body is FIELD_INVALID (PAY-02). A repetition is not counted; for
 * anything else `payment_limit` comes before all faults. A payment whose consent ended since the call was admitted ends like those
 * that were there before.
 */
export async function enterPayment(
  parts: EntryParts,
  admission: PsuAdmission,
  input: EntryInput,
): Promise<EnteredPayment> {
  const { body, faults } = input;
  const now = parts.clock.now();
  const known = await findKnown(parts, admission, input);
  if (known !== undefined) return paymentIn(known);
  parts.countEntry(admission.tpp.organisationIdentifier);
  const proven = await requireOrder(parts.bank, admission, { body, faults, now }).catch((error: unknown) =>
    refuseKnown(parts, admission, { body, error }),
  );
  const terms = termsOf(admission, proven, { now, minutes: parts.unsignedPaymentMinutes });
  const entry = { signId: createSignId(), idempotency: input.idempotency };
  try {
    return paymentIn(await parts.store.enter(terms, entry, { now, requestId: input.requestId }));
  } finally {
    const { organisationIdentifier, applicationId, psu } = terms;
    parts.payers.putIfHeard(input.heard, { organisationIdentifier, applicationId, psu });
  }
}

/** Finds what the key has entered; undefined if the call has other faults, which are told first. */
async function findKnown(
  { store, clock }: EntryParts,
  { tpp: { organisationIdentifier }, applicationId, psu }: PsuAdmission,
  { idempotency, faults }: EntryInput,
): Promise<EntryOutcome | undefined> {
  if (idempotency === undefined || faults.length > 0) return undefined;
  return store.findEntered({ organisationIdentifier, applicationId, psu }, idempotency, clock.now());
}

async function refuseKnown(
  { store }: EntryParts,
  { tpp: { organisationIdentifier } }: PsuAdmission,
  { body, error }: { readonly body: unknown; readonly error: unknown },
): Promise<never> {
  const instruction = textAt(body, INSTRUCTION);
  if (!(error instanceof ContentRefusal) || instruction === undefined) throw error;
  if (error.faults.some(({ path }) => path === INSTRUCTION)) throw error;
  const known = await store.findInstruction(organisationIdentifier, instruction);
  throw known === undefined ? error : new ContentRefusal([...error.faults, duplicateOf(known)]);
}

function duplicateOf(paymentId: PaymentId): Fault {
  const parameters = { TRANSACTION_IDENTIFICATION: paymentId };
  const message = `${INSTRUCTION} was already used for the payment with this transactionIdentification`;
  return { code: "AM05", path: INSTRUCTION, parameters, message };
}

function termsOf(
  { tpp, applicationId, psu, consentId }: PsuAdmission,
  { order, account, fee, plan: { executionDate, changed } }: ProvenOrder,
  { now, minutes }: { readonly now: Date; readonly minutes: number },
): PaymentTerms {
  const id = createPaymentId();
  const { organisationIdentifier } = tpp;
  const { orderText, digest } = bytesOfOrder({ id, order, executionDate, fee });
  const expiresAt = expiryOf(order, executionDate, { now, minutes });
  // Without spreads, which cost more than everything else here.
  return {
    id,
    organisationIdentifier,
    applicationId,
    psu,
    consentId,
    account,
    order,
    executionDate,
    fee,
    changed,
    orderText,
    digest,
    createdAt: now,
    expiresAt,
  };
}

function paymentIn(outcome: EntryOutcome): EnteredPayment {
  switch (outcome.result) {
    case "entered":
    case "replayed":
      return outcome.payment;
    case "duplicate":
      throw new ContentRefusal([duplicateOf(outcome.paymentId)]);
    case "key_reused": {
      const message = `${IDEMPOTENCY_KEY} was already used for a different request`;
      throw new ContentRefusal([{ code: "FIELD_INVALID", path: IDEMPOTENCY_KEY, message }]);
    }
  }
}
