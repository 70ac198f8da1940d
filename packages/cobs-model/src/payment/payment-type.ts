import { findBic } from "../bic.ts";
import { type CurrencyCode, findCurrencyCode } from "../currency-code.ts";
import { isObject } from "../is-object.ts";
import type { BankTerms, PaymentType } from "./payment-order.ts";
import { findAt } from "./payment-request.ts";

/** What the type of a payment is made of; undefined is what a request says wrongly or not at all. */
type TypeSigns = {
  readonly currency: CurrencyCode | undefined;
  /** Country and bank code of the payee's IBAN, which need not be right in its checksum. */
  readonly ibanCountry: string | undefined;
  readonly bankCode: string | undefined;
  /** The payee's account has a number without being an IBAN, which need not be written where it belongs. */
  readonly hasNumber: boolean;
  /** Positions 5 and 6 of the payee's BIC. */
  readonly bicCountry: string | undefined;
};

/** Table: countries of the European Economic Area. */
const EEA: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
);

/** Table: the others whose IBANs SEPA reaches (EPC409-09); those of territories have the code of their state. */
const SEPA_OUTSIDE: ReadonlySet<string> = new Set("AD AL CH GB GI MC MD ME MK RS SM VA".split(" "));

/** What looks like an IBAN has a country and a bank, whether or not its digits are right, or it is written for people. */
const LIKE_AN_IBAN = /^([A-Z]{2})\d{2}([A-Z0-9]{4})/;

/**
 * The type of a payment, which its request does not say (COBS 3.2.4, A-60): domestic in crowns to Czechia, domestic in any
 * currency inside of the bank, SEPA in euros where SEPA reaches, else by the country of the payee's bank. Undefined
 * when too little is known to tell, of the payment or of the bank.
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

/** The list of accounts has a text where an order has an object, so that one in the wrong form is to be expected. */
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
