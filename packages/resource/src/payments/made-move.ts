import type { PaymentStateName } from "./payment.ts";
import type { PaymentMove } from "./payment-moves.ts";

/**
 * What may happen to a payment's place before the bank while its state stays: it had a place without an approval, or had none
 * although it had not ended.
 */
export type PlaceMove =
  | { readonly move: "refuse_execution"; readonly reason: "not_approved" }
  | { readonly move: "restore_place"; readonly reason: "place_lost" };

/** One line of a payment's record. */
export interface MadeMove {
  /** Counts from 1, which is the entry. */
  readonly number: number;
  readonly move: "enter" | PlaceMove["move"] | PaymentMove["move"];
  readonly at: Date;
  /** Who decided it. */
  readonly by: "tpp" | "psu" | "bank" | "server";
  /** Code of the reason, if the move alone does not say it. */
  readonly cause: string | undefined;
  /** Ids and digests of the move. */
  readonly facts: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly before: PaymentStateName | undefined;
  readonly after: PaymentStateName;
}
