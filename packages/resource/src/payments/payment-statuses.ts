import type { InstructionStatus, PresentedPayment, SigningState } from "@cobs/cobs-model";
import type { Payment, Rejection, Signing } from "./payment.ts";
import type { SignId } from "./payment-ids.ts";

/** State of an authorization. `NONE` is never presented: nothing is executed without the PSU's approval. */
export type SignInfoState = Exclude<SigningState, "NONE">;

/** Status of a payment as presented to TPPs. */
export interface PaymentStatus {
  readonly instructionStatus: InstructionStatus;
  readonly signInfo: { readonly state: SignInfoState; readonly signId: SignId };
}

/** Table: the presented state of an attempt to have a payment approved. */
const SIGNING: Readonly<Record<Signing["state"], SignInfoState>> = {
  open: "OPEN",
  asked: "OPEN",
  ended: "CLOSE",
};

/** Table: the presented state of a rejected payment's attempt. */
const REJECTED: Readonly<Record<Rejection["by"], SignInfoState>> = {
  psu: "REJECT",
  approval_check: "CLOSE",
  consent: "CLOSE",
  execution_check: "DONE",
  bank: "DONE",
};

/** Derives the presented status of a payment, the same for every resource (COBS chapter 7). */
export function statusOf(payment: Payment): PaymentStatus {
  const [instructionStatus, state] = codesOf(payment);
  return { instructionStatus, signInfo: { state, signId: payment.signId } };
}

function codesOf(payment: Payment): readonly [InstructionStatus, SignInfoState] {
  switch (payment.state) {
    case "entered":
      return [payment.changed ? "ACWC" : "ACTC", SIGNING[payment.signing.state]];
    case "approved":
    case "handed_over":
    case "accepted":
      return ["ACSP", "DONE"];
    case "completed":
      return ["ACSC", "DONE"];
    case "rejected":
      return ["RJCT", REJECTED[payment.rejection.by]];
    case "expired":
      return ["RJCT", "CLOSE"];
  }
}

/** Converts a payment to its presented form (COBS 3.2.4 to 3.2.6). */
export function presentedPaymentOf(payment: Payment): PresentedPayment {
  const { instructionStatus: status, signInfo } = statusOf(payment);
  const { id: paymentId, order, executionDate, changed } = payment;
  return { paymentId, order, executionDate, changed, status, signInfo };
}

/** Finds the presented state of one attempt (COBS 3.2.9); undefined when the payment has no such attempt. */
export function signingStateOf(payment: Payment, signId: SignId): SignInfoState | undefined {
  if (payment.signId === signId) return statusOf(payment).signInfo.state;
  return payment.earlierSignIds.includes(signId) ? "CLOSE" : undefined;
}
