import type { PlacedBatch } from "@cobs/service-edge";
import type { PaymentId } from "./payment-ids.ts";

/** A place among the payments that are approved and have not ended, in the order of their last moves. */
export interface UnendedPlace {
  /** Time in the database's own notation. */
  readonly movedAt: string;
  readonly paymentId: PaymentId;
}

/** Outcome of looking at some of these payments. */
export interface RestoredPlaces extends PlacedBatch<UnendedPlace> {
  /** Payments that had no place before the bank. */
  readonly restored: readonly PaymentId[];
}
