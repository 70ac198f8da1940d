/**
 * Tables: what a bank has against an order and against a question for funds, where that is in the request, and what the TPP is
 * told. The words are the same whichever bank is behind and whoever finds the fault, since they must not tell which it was: of an
 * account that is unknown, closed or another's, least of all.
 */
import type { CobsErrorCode, Fault } from "@cobs/cobs-model";

const NO_SUCH_ACCOUNT = "the PSU has no such account, or this consent does not cover it";
const OTHER_CURRENCY = "the account is not kept in this currency";
const NO_PAYMENT_ACCOUNT = "the account is not a payment account";
const NO_EXCHANGE = "the bank does not exchange this currency";

/** Against an order. */
export const ORDER_FAULTS = {
  AC02: faultAt("AC02", "debtorAccount.identification.iban", NO_SUCH_ACCOUNT),
  AC10: faultAt("AC10", "debtorAccount.currency", OTHER_CURRENCY),
  AC12: faultAt("AC12", "debtorAccount.identification.iban", NO_PAYMENT_ACCOUNT),
  AC03: faultAt(
    "AC03",
    "creditorAccount.identification.iban",
    "the payee's account is closed, or there is none",
  ),
  AM11: faultAt("AM11", "amount.instructedAmount.currency", NO_EXCHANGE),
} as const satisfies Readonly<Partial<Record<CobsErrorCode, Fault>>>;

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
