/**
 * The question whether an account has enough money (COBS 3.2.3, 3.3.3; one body for both, A-77). It owns the question and the
 * form of the answer; the caller decides who may ask, and what the answer is.
 */
import { type CurrencyCode, findCurrencyCode, parseCurrencyCode } from "../currency-code.ts";
import { isProven, readElement } from "../element-reader.ts";
import { parseIban } from "../iban.ts";
import { isObject } from "../is-object.ts";
import { type DecimalNumber, decimalsOf, type Money, parseAmount, presentNumber } from "../money.ts";
import { type Fault, NO_OBJECT } from "../refusal.ts";
import { type BalanceCheckRequest, CHECK_TREE, findExchangeText } from "./balance-check-elements.ts";
import { type Decimal, describeDecimals, findDecimal, isNumber, presentUnsigned } from "./decimal-number.ts";
import type { PaymentAccount } from "./payment-order.ts";
import { findAt } from "./payment-request.ts";

/** A question that was read without faults. */
export type BalanceCheck = {
  /** The TPP's own id, unique among its questions (RF01), in the JSON type in which it came. */
  readonly exchangeIdentification: string | DecimalNumber;
  readonly debtorAccount: PaymentAccount;
  /** Above zero, in any currency; the bank decides whether the account has it. */
  readonly amount: Money;
  readonly card: BalanceCheckRequest["card"];
  readonly merchant: BalanceCheckRequest["merchant"];
  readonly authenticationMethod: string | undefined;
};

/** A question, or all its faults. */
export type ReadBalanceCheck = {
  readonly check: BalanceCheck | undefined;
  /** Its identification, as the same text however it is written; undefined if it is itself wrong. */
  readonly exchangeText: string | undefined;
  readonly faults: readonly Fault[];
};

/** The answer of `POST …/balanceCheck` (COBS 3.3.3.2), which reveals no balance. */
export type BalanceCheckDocument = {
  readonly responseIdentification: DecimalNumber;
  readonly exchangeIdentification: string | DecimalNumber;
  readonly response: "APPR" | "DECL";
};

/** Max18.5Amount. */
const MAX_DIGITS = 18;
const AMOUNT = "transactionDetails.totalAmount";

/**
 * Reads the body of R4 and R13 with all its faults: FF01, FIELD_MISSING, FIELD_INVALID, AC02, AC09, AM12 and RR10. Not yet
 * verified: the account, its currency, the consent, and that the question was not asked before.
 */
export function readBalanceCheck(body: unknown): ReadBalanceCheck {
  if (!isObject(body)) return { check: undefined, exchangeText: undefined, faults: [NO_OBJECT] };
  const faults: Fault[] = [];
  const read = readElement(CHECK_TREE, body, { path: "", faults, others: "ignored" });
  const wrong = findWrongAmount(findAt(body, AMOUNT), findAt(body, "transactionDetails.currency"));
  if (wrong !== undefined) faults.push({ code: "AM12", path: AMOUNT, message: `${AMOUNT} ${wrong}` });
  const exchangeText = findExchangeText(body.exchangeIdentification);
  const check = isProven<BalanceCheckRequest>(read, faults) ? makeCheck(read) : undefined;
  return { check, exchangeText, faults };
}

/** Writes the answer; `responseIdentification` has at most 18 digits (COBS 3.3.3.2). */
export function presentBalanceCheck(
  { exchangeIdentification }: Pick<BalanceCheck, "exchangeIdentification">,
  { responseIdentification, enough }: { readonly responseIdentification: bigint; readonly enough: boolean },
): BalanceCheckDocument {
  return {
    responseIdentification: presentNumber(String(responseIdentification)),
    exchangeIdentification,
    response: enough ? "APPR" : "DECL",
  };
}

function findWrongAmount(value: unknown, currency: unknown): string | undefined {
  if (!isNumber(value)) return undefined;
  const decimal = findDecimal(value);
  if (decimal === undefined || decimal.negative || !/[1-9]/.test(presentUnsigned(decimal)))
    return "must be above zero";
  return findWrongDigits(decimal, findCurrencyCode(currency));
}

function findWrongDigits({ whole, fraction }: Decimal, currency: CurrencyCode | undefined) {
  if (whole.length + fraction.length > MAX_DIGITS) return `has more than ${MAX_DIGITS} digits`;
  if (currency === undefined) return undefined;
  const decimals = decimalsOf(currency);
  return fraction.length > decimals ? describeDecimals(decimals) : undefined;
}

function makeCheck(request: BalanceCheckRequest): BalanceCheck {
  const { identification, currency } = request.debtorAccount;
  return {
    exchangeIdentification: presentExchange(request.exchangeIdentification),
    debtorAccount: {
      iban: parseIban(identification.iban),
      currency: currency === undefined ? undefined : parseCurrencyCode(currency),
    },
    amount: amountOf(request.transactionDetails),
    card: request.card,
    merchant: request.merchant,
    authenticationMethod: request.authenticationMethod,
  };
}

function amountOf({ totalAmount, currency }: BalanceCheckRequest["transactionDetails"]): Money {
  const decimal = findDecimal(totalAmount);
  return parseAmount({ value: decimal === undefined ? "" : presentUnsigned(decimal), currency }, AMOUNT);
}

function presentExchange(value: unknown): string | DecimalNumber {
  return typeof value === "string" ? value : presentNumber(findDecimal(value)?.whole ?? "0");
}
