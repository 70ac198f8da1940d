import { bytesOfOrder } from "../payments/order-bytes.ts";
import { findPaymentId } from "../payments/payment-ids.ts";
import type { OrderToExecute } from "./orders.ts";

/**
 * Whether an order is the one that its PSU has approved (RTS Article 5(1)(d)): the digest is that of the text, and the text
 * matches the order exactly. A core system receives both over the network.
 */
export function provesApproval({ paymentId, digest, orderText, ...order }: OrderToExecute): boolean {
  const id = findPaymentId(paymentId);
  if (id === undefined) return false;
  const bytes = bytesOfOrder({ id, ...order });
  return bytes.orderText === orderText && bytes.digest.equals(digest);
}
