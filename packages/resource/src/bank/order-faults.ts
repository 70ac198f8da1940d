/**
 * Tables: what a bank has against an order and against a question for funds, where that is in the request, and what the TPP is
 * told. The words are the same whichever bank is behind and whoever finds the fault, since they must not tell which it was: of an
 * account that is unknown, closed or another's, least of all.
 */
import type { CobsErrorCode, Fault, PaymentOrder } from "@cobs/cobs-model";

const NO_SUCH_ACCOUNT = "the PSU has no such account, or this consent does not cover it";
const OTHER_CURRENCY = "the account is not kept in this currency";
const NO_PAYMENT_ACCOUNT = "the account is not a payment account";
const NO_SUCH_PAYEE = "the payee's account is closed, or there is none";
const NO_SUCH_PAYEE_IN_CURRENCY =
  "the payee's account is closed, or none, or not kept in the currency of creditorAccount";
const NO_EXCHANGE = "the bank does not exchange this currency";

/** Faults of an order that are told alike of every order; {@link payeeFault} is the other one. */
export const ORDER_FAULTS = {
  AC02: faultAt("AC02", "debtorAccount.identification.iban", NO_SUCH_ACCOUNT),
  AC10: faultAt("AC10", "debtorAccount.currency", OTHER_CURRENCY),
  AC12: faultAt("AC12", "debtorAccount.identification.iban", NO_PAYMENT_ACCOUNT),
  AM11: faultAt("AM11", "amount.instructedAmount.currency", NO_EXCHANGE),
} as const satisfies Readonly<Partial<Record<CobsErrorCode, Fault>>>;

/**
 * AC03 of an order, where its payee is written. A payee whose account is kept in other currencies than the order names is told in
 * the same words as one that there is not: the payer's TPP learns nothing of accounts that are not the payer's.
 */
export function payeeFault({ creditorAccount }: PaymentOrder): Fault {
  if ("number" in creditorAccount)
    return faultAt("AC03", "creditorAccount.identification.other.identification", NO_SUCH_PAYEE);
  const isInCurrency = creditorAccount.currency !== undefined;
  const message = isInCurrency ? NO_SUCH_PAYEE_IN_CURRENCY : NO_SUCH_PAYEE;
  return faultAt("AC03", "creditorAccount.identification.iban", message);
}

/** Against a question for funds, which has no paths. */
export const FUNDS_FAULTS = {
  AC02: faultAt("AC02", undefined, NO_SUCH_ACCOUNT),
  AC09: faultAt("AC09", undefined, OTHER_CURRENCY),
  AC12: faultAt("AC12", undefined, NO_PAYMENT_ACCOUNT),
  AM11: faultAt("AM11", undefined, NO_EXCHANGE),
} as const satisfies Readonly<Partial<Record<CobsErrorCode, Fault>>>;

function faultAt(code: CobsErrorCode, path: string | undefined, message: string): Fault {
  return { code, path, message };
}
