import { BLANK_SIGNS, parseIban } from "@cobs/cobs-model";

/** The members of an order (COBS 2.0 3.2.4), in the order in which the page shows them. This is a table. */
export const ORDER_MEMBERS = [
  "amount",
  "currency",
  "creditorName",
  "creditorAddress",
  "creditorIban",
  "creditorNumber",
  "creditorCurrency",
  "creditorBic",
  "creditorBank",
  "ultimateCreditor",
  "debtorIban",
  "debtorCurrency",
  "ultimateDebtor",
  "executionDate",
  "priority",
  "message",
  "variableSymbol",
  "constantSymbol",
  "specificSymbol",
  "endToEndIdentification",
  "purpose",
  "chargeBearer",
  "fee",
  "feeCurrency",
  "instructionIdentification",
  "paymentId",
] as const;

/** One of {@link ORDER_MEMBERS}. */
export type OrderMember = (typeof ORDER_MEMBERS)[number];

/** Members that every order must have. */
export const REQUIRED_MEMBERS = [
  "amount",
  "currency",
  "debtorIban",
  "priority",
  "instructionIdentification",
  "paymentId",
] as const;

/** Up to fifteen digits and two decimals: the most that COBS allows (2.0 3.2.4.1), and never a sign or an exponent. */
const MONEY = /^(?:0|[1-9][0-9]{0,14})\.[0-9]{2}$/;
const CURRENCY = /^[A-Z]{3}$/;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const SYMBOL = /^[0-9]{1,10}$/;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
/** Only SWIFT characters (COBS 2.0 A-10), so no look-alikes from other scripts. */
const ACCOUNT_NUMBER = /^(?! )[A-Za-z0-9/?:().,'+ -]{1,34}(?<! )$/;
const REFERENCE = line(35);

const isPositive = (text: string) => MONEY.test(text) && /[1-9]/.test(text);
const isOneOf =
  (...codes: readonly string[]) =>
  (text: string) =>
    codes.includes(text);

const IS_RIGHT: Readonly<Record<OrderMember, (text: string) => boolean>> = {
  amount: isPositive,
  currency: (text) => CURRENCY.test(text),
  creditorName: line(70),
  creditorAddress: line(300),
  creditorIban: isIban,
  creditorNumber: (text) => ACCOUNT_NUMBER.test(text),
  creditorCurrency: (text) => CURRENCY.test(text),
  creditorBic: (text) => BIC.test(text),
  creditorBank: line(400),
  ultimateCreditor: line(500),
  debtorIban: isIban,
  debtorCurrency: (text) => CURRENCY.test(text),
  ultimateDebtor: line(500),
  executionDate: isDate,
  priority: isOneOf("NORM", "HIGH", "INST"),
  message: line(140),
  variableSymbol: (text) => SYMBOL.test(text),
  constantSymbol: (text) => SYMBOL.test(text),
  specificSymbol: (text) => SYMBOL.test(text),
  endToEndIdentification: REFERENCE,
  purpose: REFERENCE,
  chargeBearer: isOneOf("DEBT", "CRED", "SHAR", "SLEV"),
  fee: (text) => MONEY.test(text),
  feeCurrency: (text) => CURRENCY.test(text),
  instructionIdentification: REFERENCE,
  paymentId: REFERENCE,
};

/** Finds what is wrong with one member, without its value; empty when it is right. An unknown member is a fault. */
export function findOrderFault(name: string, value: unknown): readonly string[] {
  const member = ORDER_MEMBERS.find((each) => each === name);
  if (member === undefined) return [`${name.slice(0, 50)} is not a known member`];
  return typeof value === "string" && IS_RIGHT[member](value) ? [] : [`${member} is invalid`];
}

/**
 * Characters that could hide or reorder letters, or be shown as others. Some letters, marks and symbols are drawn as nothing too:
 * fillers, variation selectors and blank signs.
 */
const UNSHOWABLE = new RegExp(
  String.raw`\p{C}|(?! )\p{Z}|\p{M}{3}|[\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}]`,
  "u",
);

/** Accepts one line that can be shown to a person exactly as it is written. */
function line(maxCharacters: number): (text: string) => boolean {
  return (text) =>
    /[^ ]/.test(text) &&
    [...text].length <= maxCharacters &&
    text.normalize("NFC") === text &&
    !UNSHOWABLE.test(text);
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return DATE.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isIban(text: string): boolean {
  try {
    return parseIban(text) === text;
  } catch {
    return false;
  }
}
