/**
 * Tables of the faults that a bank may find in an order and in a question for funds: where in the request they are, and what
 * the TPP is told. The words do not depend on the bank or on who finds the fault. Above all they must not tell an unknown
 * account from one that is closed or somebody else's.
 */
import type { CobsErrorCode, Fault, PaymentOrder } from "@cobs/cobs-model";

const NO_SUCH_ACCOUNT = "the PSU has no such account, or this consent does not cover it";
const OTHER_CURRENCY = "the account is not kept in this currency";
const NO_PAYMENT_ACCOUNT = "the account is not a payment account";
const NO_SUCH_PAYEE = "the payee's account does not exist, or is closed";
const NO_SUCH_PAYEE_IN_CURRENCY =
  "the payee's account does not exist, is closed, or is not kept in the currency of creditorAccount";
const NO_EXCHANGE = "the bank does not exchange this currency";

/** Faults with the same path and text for every order; {@link payeeFault} has the one that depends on the order. */
export const ORDER_FAULTS = {
  AC02: faultAt("AC02", "debtorAccount.identification.iban", NO_SUCH_ACCOUNT),
  AC10: faultAt("AC10", "debtorAccount.currency", OTHER_CURRENCY),
  AC12: faultAt("AC12", "debtorAccount.identification.iban", NO_PAYMENT_ACCOUNT),
  AM11: faultAt("AM11", "amount.instructedAmount.currency", NO_EXCHANGE),
} as const satisfies Readonly<Partial<Record<CobsErrorCode, Fault>>>;

/**
 * AC03 of an order, at the path where its payee is written. A payee whose account is kept in other currencies gets the same
 * words as one that does not exist: the payer's TPP learns nothing of accounts that are not the payer's.
 */
export function payeeFault({ creditorAccount }: PaymentOrder): Fault {
  if ("number" in creditorAccount)
    return faultAt("AC03", "creditorAccount.identification.other.identification", NO_SUCH_PAYEE);
  const isInCurrency = creditorAccount.currency !== undefined;
  const message = isInCurrency ? NO_SUCH_PAYEE_IN_CURRENCY : NO_SUCH_PAYEE;
  return faultAt("AC03", "creditorAccount.identification.iban", message);
}

/** Faults that a bank may find in a question for funds, which has no paths. */
export const FUNDS_FAULTS = {
  AC02: faultAt("AC02", undefined, NO_SUCH_ACCOUNT),
  AC09: faultAt("AC09", undefined, OTHER_CURRENCY),
  AC12: faultAt("AC12", undefined, NO_PAYMENT_ACCOUNT),
  AM11: faultAt("AM11", undefined, NO_EXCHANGE),
} as const satisfies Readonly<Partial<Record<CobsErrorCode, Fault>>>;

function faultAt(code: CobsErrorCode, path: string | undefined, message: string): Fault {
  return { code, path, message };
}
