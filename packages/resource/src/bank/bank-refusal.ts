/**
 * Why a bank does not answer about an account:
 * - `account_unknown`: the PSU has no such account at this moment, whether or not anybody else has
 * - `currency_unknown`: the account is not kept in that currency (COBS AC09, A-43)
 * - `sort_too_large`: more entries than the bank puts into an order other than that of booking
 */
export type BankRefusalCode = "account_unknown" | "currency_unknown" | "sort_too_large";

/** An expected no of a bank. */
export class BankRefusal extends Error {
  readonly code: BankRefusalCode;

  constructor(code: BankRefusalCode) {
    super(code);
    this.name = "BankRefusal";
    this.code = code;
  }
}
