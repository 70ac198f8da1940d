import { makeCzechIban, parseCzechAccountNumber } from "@cobs/cobs-model";

/** Answers of a core system that fulfil the contract; tests make them wrong in one place. */

/** How answers about a PSU, and about an account of theirs, name their subject. */
export const OF_ANNA = { psuId: "anna" };
export const OF_A1 = { ...OF_ANNA, accountId: "a1" };

export const SAMPLE_ACCOUNT = {
  id: "a1",
  iban: makeCzechIban("9900", parseCzechAccountNumber("19-2000145399")),
  number: "19-2000145399",
  currency: "CZK",
  servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
  names: { cs: "Běžný účet", en: "Current account" },
  products: { cs: "Osobní konto", en: "Personal account" },
};

export const SAMPLE_ACCOUNTS = { ...OF_ANNA, accounts: [SAMPLE_ACCOUNT] };

export const SAMPLE_BALANCE = {
  type: "CLAV",
  amount: { value: "-1250.50", currency: "CZK" },
  creditLine: { included: true, amount: { value: "5000.00", currency: "CZK" } },
  at: "2026-05-02T12:15:00.000+02:00",
};

export const SAMPLE_BALANCES = { ...OF_A1, balances: [SAMPLE_BALANCE] };

export const SAMPLE_TRANSACTION = {
  entryReference: "T-1",
  amount: { value: "1250.00", currency: "CZK" },
  direction: "DBIT",
  isReversal: false,
  status: "BOOK",
  bookingDate: "2026-05-02",
  valueDate: "2026-05-02",
  code: "30000301000",
  details: null,
};
