import type { IncomingCall } from "@cobs/service-edge";

/** The id of a payment as it was sent, and the request id of the call that changes the payment. */
export interface PaymentInPath {
  readonly paymentId: string;
  readonly requestId: string;
}

/** Reads the id of a payment from the path, with the request id of the call. */
export function readPaymentInPath({
  parameters: { paymentId = "" },
  requestId,
}: IncomingCall): PaymentInPath {
  return { paymentId, requestId };
}
