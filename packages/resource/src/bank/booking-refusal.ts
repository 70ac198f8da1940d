/**
 * Why the sandbox bank does not book or block:
 * - `ledger_unknown`: an account is not in the ledger, or not in that currency
 * - `funds_insufficient`: the debited account would go below its limit, or into what is blocked already
 * - `booking_known`: one of the accounts has a booking of that id already
 * - `pending_known`: the account has a pending item of that id already
 * - `pending_unknown`: neither account has such a pending item, or not any more
 */
export type BookingRefusalCode =
  | "ledger_unknown"
  | "funds_insufficient"
  | "booking_known"
  | "pending_known"
  | "pending_unknown";

/** An expected no of the ledger; the transaction in which it is thrown must be rolled back. */
export class BookingRefusal extends Error {
  readonly code: BookingRefusalCode;

  constructor(code: BookingRefusalCode) {
    super(code);
    this.name = "BookingRefusal";
    this.code = code;
  }
}
