import { hash } from "node:crypto";
import { writeTextsOfOrder } from "@cobs/cobs-model";
import type { PaymentTerms } from "./payment.ts";

/** Parts of a payment from which the bytes are made. */
export type OrderOfPayment = Pick<PaymentTerms, "id" | "order" | "executionDate" | "fee">;

/** The bytes that a PSU approves. */
export type OrderBytes = Pick<PaymentTerms, "orderText" | "digest">;

/** Writes an order in canonical bytes (RFC 8785), as auth shows it, and computes their SHA-256 (RTS Article 5). */
export function bytesOfOrder({ id, order, executionDate, fee }: OrderOfPayment): OrderBytes {
  const terms = fee === undefined ? { executionDate } : { executionDate, fee };
  const orderText = writeTextsOfOrder(order, id, terms);
  return { orderText, digest: hash("sha256", orderText, "buffer") };
}
