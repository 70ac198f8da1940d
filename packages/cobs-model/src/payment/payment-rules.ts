/**
 * Rules of a payment that concern more than one element: its amount and currency (COBS 3.2.4.1), its day, its priority, and
 * that nobody pays the same account. It owns only these rules; a rule reports nothing if an element that it needs is wrong.
 */
import { bankDayOf, daysBefore, isCalendarDay } from "../bank-day.ts";
import { type CurrencyCode, findCurrencyCode } from "../currency-code.ts";
import { findIban } from "../iban.ts";
import { decimalsOf, presentNumber } from "../money.ts";
import type { Fault, FaultParameters } from "../refusal.ts";
import { isBusinessDay, lastBusinessDay } from "./bank-calendar.ts";
import { type Decimal, describeDecimals, findDecimal, isNumber } from "./decimal-number.ts";
import { type BankTerms, INSTRUCTION_PRIORITIES, type PaymentType } from "./payment-order.ts";
import { calendarsOf } from "./plan-execution.ts";

/**
 * The elements of a request that the rules check, each undefined if absent or itself wrong. An absent priority is the default
 * one.
 */
export type SaidByRequest = {
  readonly type: PaymentType | undefined;
  readonly value: unknown;
  readonly currency: unknown;
  readonly date: unknown;
  readonly priority: unknown;
  readonly debtorIban: unknown;
  readonly creditorIban: unknown;
};

type Limit = { readonly decimal: string; readonly hundredths: bigint };

type Rule = (said: SaidByRequest, terms: BankTerms | undefined, today: string) => Fault | undefined;

/** Table: the largest amount of each type, in whole units of any currency (COBS 3.2.4.1). */
const MAXIMUM: Readonly<Record<PaymentType, Limit>> = {
  domestic: limitOf("1000000000000.00"),
  sepa: limitOf("999999999.99"),
  "inside-eea": limitOf("999999999999999.99"),
  "outside-eea": limitOf("999999999999999.99"),
};
const LARGEST = "outside-eea";

/** The largest amount of a type, in hundredths of a unit of any currency (COBS 3.2.4.1). */
export function maximumOf(type: PaymentType): bigint {
  return MAXIMUM[type].hundredths;
}

/** Most decimals of every type (COBS 3.2.4.1); fewer if the currency has fewer (ISO 4217). */
const MAX_DECIMALS = 2;
const MAX_WHOLE_DIGITS = 15;

const AMOUNT = "amount.instructedAmount.value";
const CURRENCY = "amount.instructedAmount.currency";
const DATE = "requestedExecutionDate";
const PRIORITY = "paymentTypeInformation.instructionPriority";
const CREDITOR = "creditorAccount.identification.iban";

/** The rules, in the order in which their faults are reported. */
const RULES: readonly Rule[] = [requireCurrency, requireAmount, requireDay, requirePriority, requireOther];

/** Finds faults by the rules of COBS 3.2.4.1 and 3.2.4; without the terms of the bank, only those at any bank. */
export function findRuleFaults(
  said: SaidByRequest,
  terms: BankTerms | undefined,
  now: Date,
): readonly Fault[] {
  const today = bankDayOf(now);
  return RULES.map((rule) => rule(said, terms, today)).filter((fault) => fault !== undefined);
}

function requireCurrency({ currency }: SaidByRequest, terms: BankTerms | undefined): Fault | undefined {
  const code = findCurrencyCode(currency);
  if (code === undefined || terms === undefined || terms.currencies.includes(code)) return undefined;
  const parameters = { CURRENCY_ALLOWED: terms.currencies };
  return { code: "AM11", path: CURRENCY, parameters, message: `${CURRENCY} is not a currency of this bank` };
}

function requireAmount({ type, value, currency }: SaidByRequest): Fault | undefined {
  if (!isNumber(value)) return undefined;
  const code = findCurrencyCode(currency);
  const decimal = findDecimal(value);
  if (decimal === undefined || decimal.negative || isZero(decimal)) return amountFault("must be above zero");
  const decimals = decimalsFor(code);
  if (decimal.fraction.length > decimals) return amountFault(describeDecimals(decimals));
  const limit = MAXIMUM[type ?? LARGEST];
  if (hundredthsOf(decimal) <= limit.hundredths) return undefined;
  const LIMIT = presentNumber(limit.decimal);
  return amountFault("is too large", { ...(code && { CURRENCY: code }), LIMIT });
}

/** Expects two decimals. */
function limitOf(decimal: string): Limit {
  return { decimal, hundredths: BigInt(decimal.replace(".", "")) };
}

function amountFault(wrong: string, parameters?: FaultParameters): Fault {
  return { code: "AM12", path: AMOUNT, message: `${AMOUNT} ${wrong}`, ...(parameters && { parameters }) };
}

function isZero({ whole, fraction }: Decimal): boolean {
  return !/[1-9]/.test(whole + fraction);
}

function decimalsFor(currency: CurrencyCode | undefined): number {
  return currency === undefined ? MAX_DECIMALS : Math.min(MAX_DECIMALS, decimalsOf(currency));
}

/** Expects at most two decimals; a number with more digits than any limit is compared by its length. */
function hundredthsOf({ whole, fraction }: Decimal): bigint {
  if (whole.length > MAX_WHOLE_DIGITS) return 10n ** BigInt(MAX_WHOLE_DIGITS + MAX_DECIMALS);
  return BigInt(whole + fraction.padEnd(MAX_DECIMALS, "0"));
}

function requireDay(said: SaidByRequest, terms: BankTerms | undefined, today: string): Fault | undefined {
  const { date } = said;
  if (typeof date !== "string" || !isCalendarDay(date)) return undefined;
  if (date < today) return dayFault("is in the past", { DATE: "DATE_TO_OLD" });
  const LIMIT = terms && lastDayFor(said.type, terms, today);
  if (LIMIT !== undefined && date > LIMIT)
    return dayFault("is too far ahead", { DATE: "DATE_IN_FUTURE", LIMIT });
  if (said.priority !== "INST" || said.type === undefined || date === today) return undefined;
  const opens = calendarsOf(said.type).every((calendar) => isBusinessDay(calendar, date));
  return opens ? undefined : dayFault("is not a business day");
}

/**
 * Returns the last day that may be requested; an order for a later one could be moved and executed too late. Today is always
 * allowed, as for an order without a day.
 */
function lastDayFor(type: PaymentType | undefined, { maxDaysAhead }: BankTerms, today: string): string {
  const last = daysBefore(today, -maxDaysAhead);
  if (type === undefined) return last;
  const day = lastBusinessDay(calendarsOf(type), last);
  return day < today ? today : day;
}

function dayFault(wrong: string, parameters?: FaultParameters): Fault {
  return { code: "DT01", path: DATE, message: `${DATE} ${wrong}`, ...(parameters && { parameters }) };
}

function requirePriority({ type, priority }: SaidByRequest, terms: BankTerms | undefined): Fault | undefined {
  const wanted = INSTRUCTION_PRIORITIES.find((each) => each === priority);
  if (type === undefined || wanted === undefined || terms === undefined) return undefined;
  const allowed = terms.priorities[type];
  if (allowed.includes(wanted)) return undefined;
  const parameters = { ALLOWED_PRIORITY_TYPES: allowed };
  const message = `${PRIORITY} is ${wanted}, which is not offered`;
  return { code: "NO_PART", path: PRIORITY, parameters, message };
}

function requireOther({ debtorIban, creditorIban }: SaidByRequest): Fault | undefined {
  const isSame = debtorIban === creditorIban && findIban(debtorIban) !== undefined;
  return isSame ? { code: "REC_SEND", path: CREDITOR, message: "payee and payer are the same" } : undefined;
}
