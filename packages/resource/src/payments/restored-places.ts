import type { ListBatch } from "@cobs/service-edge";
import type { PaymentId } from "./payment-ids.ts";

/** How far the payments that are approved and have not ended were read, in the order of their last moves. */
export interface UnendedCursor {
  /** Time in the database's own notation. */
  readonly movedAt: string;
  readonly paymentId: PaymentId;
}

/** Outcome of looking at some of these payments. */
export interface RestoredPlaces extends ListBatch<UnendedCursor> {
  /** Payments that had no place before the bank. */
  readonly restored: readonly PaymentId[];
}
