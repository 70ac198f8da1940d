import type { IncomingCall } from "@cobs/service-edge";

/** The id of a payment as it came, and the call that changes something of it. */
export interface PaymentInPath {
  readonly paymentId: string;
  readonly requestId: string;
}

/** Reads the id of the path of a payment, beside that of the call. */
export function readPaymentInPath({
  parameters: { paymentId = "" },
  requestId,
}: IncomingCall): PaymentInPath {
  return { paymentId, requestId };
}
