import { findBic } from "../bic.ts";
import { type CurrencyCode, findCurrencyCode } from "../currency-code.ts";
import { isObject } from "../is-object.ts";
import type { BankTerms, PaymentType } from "./payment-order.ts";
import { findAt } from "./payment-request.ts";

/** The facts that decide the type of a payment; undefined if the request states them wrongly or not at all. */
type TypeSigns = {
  readonly currency: CurrencyCode | undefined;
  /** Country and bank code of the payee's IBAN, whose checksum need not be right. */
  readonly ibanCountry: string | undefined;
  readonly bankCode: string | undefined;
  /** Whether the payee's account has a number that is not an IBAN, even if it is in the wrong place. */
  readonly hasNumber: boolean;
  /** Positions 5 and 6 of the payee's BIC. */
  readonly bicCountry: string | undefined;
};

/** Table: countries of the European Economic Area. */
const EEA: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
);

/** Table: other countries whose IBANs SEPA reaches (EPC409-09); those of territories have the code of their state. */
const SEPA_OUTSIDE: ReadonlySet<string> = new Set("AD AL CH GB GI MC MD ME MK RS SM VA".split(" "));

/** Matches what looks like an IBAN, with a country and a bank, even if its digits are wrong or it is written for people. */
const LIKE_AN_IBAN = /^([A-Z]{2})\d{2}([A-Z0-9]{4})/;

/**
 * Derives the type of a payment, which its request does not state (COBS 3.2.4, A-60): domestic if in crowns to Czechia, or in
 * any currency within the bank; SEPA if in euros where SEPA reaches; otherwise by the country of the payee's bank. Undefined
 * when too little is known of the payment or of the bank.
 */
export function findPaymentType(body: unknown, terms: BankTerms | undefined): PaymentType | undefined {
  return derivePaymentType(findSigns(body), terms?.bankCode);
}

function findSigns(body: unknown): TypeSigns {
  const account = findAt(body, "creditorAccount.identification");
  const iban = findAt(account, "iban") ?? undefined;
  const [, ibanCountry, bankCode] =
    (typeof iban === "string" && LIKE_AN_IBAN.exec(iban.replaceAll(" ", "").toUpperCase())) || [];
  const bic = findAt(body, "creditorAgent.financialInstitutionIdentification.bic");
  return {
    currency: findCurrencyCode(findAt(body, "amount.instructedAmount.currency")),
    ibanCountry,
    bankCode,
    hasNumber: iban === undefined && saysNumber(findAt(account, "other")),
    bicCountry: findBic(bic)?.slice(4, 6),
  };
}

/** An order has an object where the list of accounts has a text, so the wrong form is to be expected. */
function saysNumber(other: unknown): boolean {
  const said = isObject(other) ? other.identification : other;
  return said !== undefined && said !== null;
}

function derivePaymentType(signs: TypeSigns, ownCode: string | undefined): PaymentType | undefined {
  const { currency, ibanCountry, hasNumber, bicCountry } = signs;
  if (ibanCountry === undefined) return hasNumber ? foreignType(bicCountry) : undefined;
  if (ibanCountry === "CZ" && signs.bankCode === ownCode) return "domestic";
  if (!isInSepa(ibanCountry)) return foreignType(ibanCountry);
  if (currency === undefined) return undefined;
  if (ibanCountry === "CZ" && currency === "CZK") return "domestic";
  if (ibanCountry === "CZ" && ownCode === undefined) return undefined;
  return currency === "EUR" ? "sepa" : foreignType(ibanCountry);
}

function isInSepa(country: string): boolean {
  return EEA.has(country) || SEPA_OUTSIDE.has(country);
}

function foreignType(country: string | undefined): PaymentType {
  return country !== undefined && EEA.has(country) ? "inside-eea" : "outside-eea";
}
