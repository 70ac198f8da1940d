import type { PaymentId, SigningRequestId } from "./payment-ids.ts";

/** Selects among the waiting payments of a payer, by id: those after `after`, up to `until`, and at most `limit`. */
export interface WaitingSpan {
  readonly after?: PaymentId | undefined;
  readonly until?: PaymentId | undefined;
  readonly limit?: number;
}

/** Outcome for the waiting payments of a payer. */
export interface EndedWaiting {
  readonly ended: readonly PaymentId[];
  /** Requests of the payments that auth has. */
  readonly asked: readonly SigningRequestId[];
  /** After which one to go on, if more may follow. */
  readonly last?: PaymentId;
}
