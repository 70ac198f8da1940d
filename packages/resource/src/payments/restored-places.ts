import type { PlacedBatch } from "@cobs/service-edge";
import type { PaymentId } from "./payment-ids.ts";

/** A place among the payments that are approved and have not ended, in the order of their last moves. */
export interface UnendedPlace {
  /** As the database writes it. */
  readonly movedAt: string;
  readonly paymentId: PaymentId;
}

/** What became of some of those payments. */
export interface RestoredPlaces extends PlacedBatch<UnendedPlace> {
  /** Those that had no place before the bank. */
  readonly restored: readonly PaymentId[];
}
