/**
 * Why the sandbox bank does not book or block:
 * - `ledger_unknown`: an account is not in the ledger, or not in that currency
 * - `funds_insufficient`: the debited account would go below its limit, or into what is already blocked
 * - `booking_known`: one of the accounts already has a booking with that id
 * - `pending_known`: the account already has a pending item with that id
 * - `pending_unknown`: neither account has such a pending item (any more)
 */
export type BookingRefusalCode =
  | "ledger_unknown"
  | "funds_insufficient"
  | "booking_known"
  | "pending_known"
  | "pending_unknown";

/** A refusal that the ledger is expected to give; the transaction that throws it must be rolled back. */
export class BookingRefusal extends Error {
  readonly code: BookingRefusalCode;

  constructor(code: BookingRefusalCode) {
    super(code);
    this.name = "BookingRefusal";
    this.code = code;
  }
}
