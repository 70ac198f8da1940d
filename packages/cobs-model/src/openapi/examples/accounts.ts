import type { Json } from "../openapi-document.ts";

const SERVICER = { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" };

/** Two accounts of a PSU, the answer of R1. */
export const ACCOUNT_LIST_EXAMPLE: Json = {
  pageNumber: 0,
  pageCount: 1,
  nextPage: null,
  pageSize: 2,
  totalCount: 2,
  accounts: [
    {
      id: "a3f5c0d2e1b49876",
      identification: { iban: "CZ3299000000002000000018", other: "2000000018" },
      currency: "CZK",
      servicer: SERVICER,
      nameI18N: "Běžný účet",
      productI18N: "Osobní konto",
    },
    {
      id: "b81e77c90a24d3f6",
      identification: { iban: "CZ7199000000192000000034", other: "19-2000000034" },
      currency: "EUR",
      servicer: SERVICER,
      nameI18N: "Eurový účet",
      productI18N: null,
    },
  ],
};

/** An empty list: a PSU without accounts in the consent. */
export const NO_ACCOUNTS_EXAMPLE: Json = {
  pageNumber: 0,
  pageCount: 0,
  nextPage: null,
  pageSize: 0,
  totalCount: 0,
  accounts: [],
};

const CZK = (value: number) => ({ value, currency: "CZK" });
const typeOf = (code: string) => ({ codeOrProprietary: { code } });

/** The balances of an account with an overdraft, the answer of R2. */
export const BALANCES_EXAMPLE: Json = {
  balances: [
    {
      type: typeOf("CLAV"),
      creditLine: { included: true, amount: CZK(10000) },
      amount: CZK(35120.4),
      creditDebitIndicator: "CRDT",
      date: { dateTime: "2024-05-02T12:15:00.000+02:00" },
    },
    {
      type: typeOf("ITBD"),
      amount: CZK(25120.4),
      creditDebitIndicator: "CRDT",
      date: { dateTime: "2024-05-02T12:15:00.000+02:00" },
    },
    {
      type: typeOf("PRCD"),
      amount: CZK(1204.5),
      creditDebitIndicator: "DBIT",
      date: { dateTime: "2024-05-01" },
    },
  ],
};
