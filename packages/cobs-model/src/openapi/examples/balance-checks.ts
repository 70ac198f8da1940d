import type { Example, Json } from "../openapi-document.ts";

const WHOLE: Json = {
  exchangeIdentification: "123456789",
  card: { cardholderName: "Jan Novak", maskedPan: "1234********6789" },
  debtorAccount: { identification: { iban: "CZ3299000000002000000018" } },
  authenticationMethod: "NPIN",
  merchant: {
    identification: "12345678",
    shortName: "KNIHY",
    commonName: "Knihy s.r.o.",
    address: "Hlavni 5, Praha 1",
    countryCode: "CZ",
    merchantCategoryCode: "5192",
  },
  transactionDetails: { currency: "CZK", totalAmount: 499.5 },
};

/** Bodies of R4 and R13. */
export const BALANCE_QUESTION_EXAMPLES: Readonly<Record<string, Example>> = {
  card: { summary: "a card payment in a shop", value: WHOLE },
  least: {
    summary: "only what is required",
    value: {
      exchangeIdentification: 4711,
      debtorAccount: { identification: { iban: "CZ3299000000002000000018" } },
      transactionDetails: { currency: "CZK", totalAmount: 1200 },
    },
  },
};

/** Answers of R4 and R13. */
export const BALANCE_CHECK_EXAMPLES: Readonly<Record<string, Example>> = {
  enough: {
    summary: "enough funds",
    value: { responseIdentification: 402735918264, exchangeIdentification: "123456789", response: "APPR" },
  },
  tooLittle: {
    summary: "not enough funds",
    value: { responseIdentification: 7719045386125, exchangeIdentification: 4711, response: "DECL" },
  },
};
