import type { PaymentStateName } from "./payment.ts";
import type { PaymentMove } from "./payment-moves.ts";

/**
 * What may happen to a payment's place before the bank while the payment stays as it is: it had one without an approval, or none
 * although it had not ended.
 */
export type PlaceMove =
  | { readonly move: "refuse_execution"; readonly reason: "not_approved" }
  | { readonly move: "restore_place"; readonly reason: "place_lost" };

/** One line of a payment's record. */
export interface MadeMove {
  /** From 1, which is the entry. */
  readonly number: number;
  readonly move: "enter" | PlaceMove["move"] | PaymentMove["move"];
  readonly at: Date;
  /** Whose decision it was. */
  readonly by: "tpp" | "psu" | "bank" | "server";
  /** A code for why, where the move alone does not say it. */
  readonly cause: string | undefined;
  /** Ids and digests that the move was made with. */
  readonly facts: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly before: PaymentStateName | undefined;
  readonly after: PaymentStateName;
}
