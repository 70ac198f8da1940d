import type { InstructionStatus, PresentedPayment, SigningState } from "@cobs/cobs-model";
import type { Payment, Rejection, Signing } from "./payment.ts";
import type { SignId } from "./payment-ids.ts";

/** The state of an authorization. `NONE` is never told: nothing is executed without its PSU's approval. */
export type SignInfoState = Exclude<SigningState, "NONE">;

/** What is told of where a payment stands. */
export interface PaymentStatus {
  readonly instructionStatus: InstructionStatus;
  readonly signInfo: { readonly state: SignInfoState; readonly signId: SignId };
}

/** Table: what is told of an attempt to have it approved. */
const SIGNING: Readonly<Record<Signing["state"], SignInfoState>> = {
  open: "OPEN",
  asked: "OPEN",
  ended: "CLOSE",
};

/** Table: what is told of the attempt that a rejected payment had. */
const REJECTED: Readonly<Record<Rejection["by"], SignInfoState>> = {
  psu: "REJECT",
  approval_check: "CLOSE",
  consent: "CLOSE",
  execution_check: "DONE",
  bank: "DONE",
};

/** What is told of where a payment stands, everywhere where it is told (COBS chapter 7). */
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

/** A payment as it is told (COBS 3.2.4 to 3.2.6). */
export function presentedPaymentOf(payment: Payment): PresentedPayment {
  const { instructionStatus: status, signInfo } = statusOf(payment);
  const { id: paymentId, order, executionDate, changed } = payment;
  return { paymentId, order, executionDate, changed, status, signInfo };
}

/** What is told of one attempt to have it approved (COBS 3.2.9); undefined when it is none of this payment. */
export function signingStateOf(payment: Payment, signId: SignId): SignInfoState | undefined {
  if (payment.signId === signId) return statusOf(payment).signInfo.state;
  return payment.earlierSignIds.includes(signId) ? "CLOSE" : undefined;
}
