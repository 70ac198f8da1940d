import type { IncomingCall, OnBehalf } from "@cobs/service-edge";

/** The id of a payment as it was sent, and the call that changes the payment. */
export interface PaymentInPath {
  readonly paymentId: string;
  readonly call: OnBehalf;
}

/** Reads the id of a payment from the path. */
export function readPaymentInPath(call: IncomingCall): PaymentInPath {
  const { paymentId = "" } = call.parameters;
  return { paymentId, call };
}
