/**
 * Payments that TPPs initiate (COBS 3.2.4). This folder owns the way from a body to a payment that waits for its PSU: read,
 * inspected by the bank, with its day and the bytes that the PSU will approve. It does not own the rules of an order
 * (cobs-model), what the bank has against it (bank), nor that a payment exists once (payments).
 */
import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { PsuAdmission } from "../admission/admission.ts";
import type { Bank } from "../bank/bank.ts";
import { bytesOfOrder } from "../payments/order-bytes.ts";
import type { EnteredPayment, PaymentTerms } from "../payments/payment.ts";
import { createPaymentId, createSignId } from "../payments/payment-ids.ts";
import type { EntryOutcome, IdempotencyKey, PaymentStore } from "../payments/payment-store.ts";
import { type ProvenOrder, requireOrder } from "./require-order.ts";

/** What entering takes. */
export interface EntryParts {
  readonly bank: Pick<Bank, "terms" | "inspectOrder" | "accountsOf">;
  readonly store: Pick<PaymentStore, "enter">;
  readonly clock: Clock;
  /** How long a PSU has to approve. */
  readonly unsignedPaymentMinutes: number;
}

/** What a TPP sends, as far as it could be read, and what is wrong beside the body. */
export interface EntryWish {
  readonly body: unknown;
  readonly idempotency: IdempotencyKey | undefined;
  readonly faults: readonly Fault[];
  readonly requestId: string;
}

/** The header under which a request may be sent again. */
export const IDEMPOTENCY_KEY = "Idempotency-Key";

const MINUTE_MS = 60_000;

/**
 * Enters a payment once (PAY-01): the same request under its idempotency key gives the payment as it was entered. Refuses
 * with every fault of order and account together, else with AM05 for an instruction identification that is taken, or
 * FIELD_INVALID for a key that came with another body (PAY-02).
 */
export async function enterPayment(
  parts: EntryParts,
  admission: PsuAdmission,
  wish: EntryWish,
): Promise<EnteredPayment> {
  const now = parts.clock.now();
  const proven = await requireOrder(parts.bank, admission, { ...wish, now });
  const terms = termsOf(admission, proven, { now, minutes: parts.unsignedPaymentMinutes });
  const entry = { signId: createSignId(), idempotency: wish.idempotency };
  return paymentIn(await parts.store.enter(terms, entry, { now, requestId: wish.requestId }));
}

function termsOf(
  { tpp, applicationId, psu, consentId }: PsuAdmission,
  { order, account, fee, plan: { executionDate, changed } }: ProvenOrder,
  { now, minutes }: { readonly now: Date; readonly minutes: number },
): PaymentTerms {
  const id = createPaymentId();
  return {
    ...{ id, organisationIdentifier: tpp.organisationIdentifier, applicationId, psu, consentId, account },
    ...{ order, executionDate, fee, changed, ...bytesOfOrder({ id, order, executionDate, fee }) },
    createdAt: now,
    expiresAt: new Date(now.getTime() + minutes * MINUTE_MS),
  };
}

function paymentIn(outcome: EntryOutcome): EnteredPayment {
  switch (outcome.result) {
    case "entered":
    case "replayed":
      return outcome.payment;
    case "duplicate": {
      const path = "paymentIdentification.instructionIdentification";
      const parameters = { TRANSACTION_IDENTIFICATION: outcome.paymentId };
      const message = `${path} is that of the payment with this transactionIdentification`;
      throw new ContentRefusal([{ code: "AM05", path, parameters, message }]);
    }
    case "key_reused": {
      const message = `${IDEMPOTENCY_KEY} came with another request before`;
      throw new ContentRefusal([{ code: "FIELD_INVALID", path: IDEMPOTENCY_KEY, message }]);
    }
  }
}
