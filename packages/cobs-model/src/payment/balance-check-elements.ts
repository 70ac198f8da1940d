import { COUNTRY, CURRENCY, type Format, IBAN, OBJECT, oneOf } from "../element-formats.ts";
import type { ElementRow } from "../element-tree.ts";
import { type ElementNode, growTree } from "../element-tree.ts";
import { isObject } from "../is-object.ts";
import { findDecimal } from "./decimal-number.ts";
import { coded, identification, NUMBER, peopleText } from "./payment-formats.ts";

/** A question that fits the table below. */
export type BalanceCheckRequest = {
  readonly exchangeIdentification: unknown;
  readonly card?: { readonly cardholderName?: string; readonly maskedPan: string };
  readonly debtorAccount: { readonly identification: { readonly iban: string }; readonly currency?: string };
  readonly authenticationMethod?: string;
  readonly merchant?: {
    readonly identification: string;
    readonly type?: string;
    readonly shortName: string;
    readonly commonName: string;
    readonly address?: string;
    readonly countryCode?: string;
    readonly merchantCategoryCode: string;
  };
  readonly transactionDetails: { readonly currency: string; readonly totalAmount: unknown };
};

const MAX_EXCHANGE_LENGTH = 18;

/** Table: `authenticationMethod` (COBS 4.2). */
export const AUTHENTICATION_METHODS: readonly string[] =
  "NPIN PPSG PSWD SCRT SCNL SNCT CPSG ADDB BIOM CDHI CRYP CSCV PSVE CSEC ADDS TOKP".split(" ");

/** Table: `merchant.type` (COBS 4.22.2). */
export const MERCHANT_TYPES: readonly string[] = "OPOI MERC ACCP ITAG ACQR CISS DLIS".split(" ");

const EXCHANGE_TEXT = identification(MAX_EXCHANGE_LENGTH);

/** Text or an integer, of at most 18 characters. */
const EXCHANGE: Format = {
  ...EXCHANGE_TEXT,
  accepts: (value) => EXCHANGE_TEXT.accepts(value) || isIdentifyingInteger(value),
  wrong: "must be text or an integer from 0, of at most 18 characters",
};

/** A card, whose members may have the names of the examples or those of the tables. */
const CARD: Format = {
  ...OBJECT,
  reads: (value) =>
    isObject(value)
      ? {
          cardholderName: value.cardholderName ?? value.cardHolderName,
          maskedPan: value.maskedPan ?? value.maskedPAN,
        }
      : value,
};

/**
 * A card number has at least 13 digits (ISO/IEC 7812): a value that shows as many is not masked, and we must not receive it.
 */
const MASKED_PAN: Format = matching(
  /^(?=.{1,30}$)(?:[* ]*[0-9]){0,12}[* ]*$/,
  "must be a masked card number: at most 30 digits, spaces and asterisks, of which at most 12 are digits",
);
const CATEGORY: Format = matching(
  /^\d{3,4}$/,
  "must be a merchant category code of 3 or 4 digits (ISO 18245)",
);

/** Table: every element of a balance check (COBS 3.3.3.1), parents before children. */
const ELEMENTS: readonly ElementRow[] = [
  ["exchangeIdentification", "M", EXCHANGE],
  ["card", "O", CARD],
  ["card.cardholderName", "O", peopleText(45)],
  ["card.maskedPan", "M", MASKED_PAN],
  ["debtorAccount", "M", OBJECT],
  ["debtorAccount.identification", "M", OBJECT],
  ["debtorAccount.identification.iban", "M", coded("AC02", IBAN)],
  ["debtorAccount.currency", "O", coded("AC09", CURRENCY)],
  ["authenticationMethod", "O", oneOf(...AUTHENTICATION_METHODS)],
  ["merchant", "O", OBJECT],
  ["merchant.identification", "M", identification(35)],
  ["merchant.type", "O", oneOf(...MERCHANT_TYPES)],
  ["merchant.shortName", "M", peopleText(35)],
  ["merchant.commonName", "M", peopleText(70)],
  ["merchant.address", "O", peopleText(140)],
  ["merchant.countryCode", "O", COUNTRY],
  ["merchant.merchantCategoryCode", "M", CATEGORY],
  ["transactionDetails", "M", OBJECT],
  ["transactionDetails.currency", "M", CURRENCY],
  ["transactionDetails.totalAmount", "M", NUMBER],
];

/** Returns the identification of a question as text, the same for 1, 1.0 and "1"; undefined if it is itself wrong. */
export function findExchangeText(value: unknown): string | undefined {
  if (typeof value === "string") return EXCHANGE_TEXT.accepts(value) ? value : undefined;
  return isIdentifyingInteger(value) ? findDecimal(value)?.whole : undefined;
}

/** Element tree made from the table. */
export const CHECK_TREE: ElementNode = growTree(ELEMENTS, (letter) => letter);

function matching(pattern: RegExp, wrong: string): Format {
  return { accepts: (value) => typeof value === "string" && pattern.test(value), wrong };
}

function isIdentifyingInteger(value: unknown): boolean {
  const decimal = findDecimal(value);
  if (decimal === undefined || decimal.negative || decimal.fraction !== "") return false;
  return decimal.whole.length <= MAX_EXCHANGE_LENGTH;
}
