import {
  type Account,
  type AccountId,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parsePsuId,
} from "@cobs/cobs-model";
import type { SandboxBankContent } from "@cobs/resource";

export const CZK = parseCurrencyCode("CZK");
export const EUR = parseCurrencyCode("EUR");
export const USD = parseCurrencyCode("USD");
export const ANNA = parsePsuId("anna");
export const BORIS = parsePsuId("boris");

/**
 * Anna's account in CZK and EUR with the given overdraft in CZK, and the bank's own accounts `…-bank` and `…-bank-EUR`; ids
 * begin with `name`, so that one database can hold many such ledgers.
 */
export function ledgerOf(
  name: string,
  content: Partial<SandboxBankContent> = {},
  overdraftLimit = 0n,
): SandboxBankContent {
  const { account, inEuro, bank, bankInEuro } = idsOf(name);
  return {
    name,
    ledger: [
      { id: account, currency: CZK, overdraftLimit },
      { id: inEuro, currency: EUR, overdraftLimit: 0n },
      { id: bank, currency: CZK, overdraftLimit: null },
      { id: bankInEuro, currency: EUR, overdraftLimit: null },
    ],
    accounts: [accountOf(account)],
    ledgers: [{ account, currency: EUR, id: inEuro }],
    access: [{ psu: ANNA, account }],
    bookings: [],
    ...content,
  };
}

/** The ids of such a ledger. */
export function idsOf(name: string) {
  return {
    account: parseAccountId(`${name}-a`),
    inEuro: parseAccountId(`${name}-a-EUR`),
    bank: parseAccountId(`${name}-bank`),
    bankInEuro: parseAccountId(`${name}-bank-EUR`),
  };
}

function accountOf(id: AccountId): Account {
  const number = parseCzechAccountNumber("2000145399");
  return {
    id,
    iban: makeCzechIban("9900", number),
    number,
    currency: CZK,
    servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
    names: { cs: "Běžný", en: "Current" },
    products: { cs: "Osobní konto", en: "Personal account" },
  };
}
