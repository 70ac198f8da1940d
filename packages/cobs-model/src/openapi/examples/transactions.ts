/** Table: one transaction of each kind (COBS 3.1.5.1), as in answers of R3. */
import type { Example, Json } from "../openapi-document.ts";

const kindOf = (code: string) => ({ proprietary: { code, issuer: "CBA" } });
const bankOf = (identification: Json) => ({ financialInstitutionIdentification: identification });
const OWN_ACCOUNT = { identification: { iban: "CZ3299000000002000000018" } };
const OWN_BANK = bankOf({ bic: "TESTCZPP" });

const DOMESTIC: Json = {
  entryReference: "T-000000101",
  amount: { value: 1250, currency: "CZK" },
  creditDebitIndicator: "CRDT",
  reversalIndicator: false,
  status: "BOOK",
  bookingDate: { date: "2024-05-02" },
  valueDate: { date: "2024-05-02" },
  bankTransactionCode: kindOf("10000107000"),
  entryDetails: {
    transactionDetails: {
      references: { endToEndIdentification: "NOTPROVIDED" },
      amountDetails: { instructedAmount: { amount: { value: 1250, currency: "CZK" } } },
      relatedParties: {
        debtor: { name: "Jan Novák" },
        debtorAccount: { identification: { iban: "CZ7199000000192000000034" } },
        creditorAccount: OWN_ACCOUNT,
      },
      relatedAgents: { debtorAgent: bankOf({ other: { identification: "9900" } }), creditorAgent: OWN_BANK },
      remittanceInformation: {
        unstructured: "Nájem květen",
        structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308"] } },
      },
    },
  },
};

const SEPA: Json = {
  entryReference: "T-000000102",
  amount: { value: 2512.5, currency: "CZK" },
  creditDebitIndicator: "DBIT",
  reversalIndicator: false,
  status: "BOOK",
  bookingDate: { date: "2024-05-02" },
  valueDate: { date: "2024-05-02" },
  bankTransactionCode: kindOf("10000401000"),
  entryDetails: {
    transactionDetails: {
      references: { endToEndIdentification: "INVOICE-77" },
      amountDetails: {
        instructedAmount: { amount: { value: 100, currency: "EUR" } },
        counterValueAmount: {
          amount: { value: 2512.5, currency: "CZK" },
          currencyExchange: { sourceCurrency: "CZK", targetCurrency: "EUR", exchangeRate: 25.125 },
        },
      },
      relatedParties: {
        debtor: { name: "Jana Dvořáková" },
        debtorAccount: OWN_ACCOUNT,
        creditor: {
          name: "Muster GmbH",
          postalAddress: { country: "DE", addressLine: ["Hauptstrasse 1", "10115 Berlin"] },
        },
        creditorAccount: { identification: { iban: "DE89370400440532013000" } },
      },
      relatedAgents: { debtorAgent: OWN_BANK, creditorAgent: bankOf({ bic: "COBADEFFXXX" }) },
      purpose: { code: "SUPP" },
      remittanceInformation: { unstructured: "Invoice 77" },
    },
  },
};

const FOREIGN: Json = {
  entryReference: "T-000000103",
  amount: { value: 4650, currency: "CZK" },
  creditDebitIndicator: "DBIT",
  reversalIndicator: false,
  status: "BOOK",
  bookingDate: { date: "2024-05-01" },
  valueDate: { date: "2024-05-02" },
  bankTransactionCode: kindOf("10000201000"),
  entryDetails: {
    transactionDetails: {
      amountDetails: { instructedAmount: { amount: { value: 200, currency: "USD" } } },
      charges: { bearer: "SHA" },
      relatedParties: {
        debtor: { name: "Jana Dvořáková" },
        debtorAccount: OWN_ACCOUNT,
        creditor: { name: "Sample Inc." },
        creditorAccount: { identification: { other: { identification: "123456789" } } },
      },
      relatedAgents: {
        debtorAgent: OWN_BANK,
        creditorAgent: bankOf({
          clearingSystemMemberIdentification: {
            clearingSystemIdentification: { code: "USABA" },
            memberIdentification: "021000021",
          },
          name: "Sample Bank",
        }),
      },
    },
  },
};

const CARD: Json = {
  amount: { value: 349, currency: "CZK" },
  creditDebitIndicator: "DBIT",
  reversalIndicator: false,
  status: "PDNG",
  bookingDate: { date: "2024-05-02T18:03:11.000+02:00" },
  valueDate: { date: "2024-05-04" },
  bankTransactionCode: kindOf("30000201000"),
  entryDetails: {
    transactionDetails: {
      references: { chequeNumber: "xxxxxxxxxxxx1234" },
      additionalTransactionInformation: "Platba kartou",
    },
  },
};

const FEE: Json = {
  entryReference: "T-000000104",
  amount: { value: 25, currency: "CZK" },
  creditDebitIndicator: "DBIT",
  reversalIndicator: false,
  status: "BOOK",
  bookingDate: { date: "2024-04-30" },
  valueDate: { date: "2024-04-30" },
  bankTransactionCode: kindOf("40000605000"),
};

const pageOf = (...transactions: readonly Json[]): Json => ({
  pageNumber: 0,
  pageCount: transactions.length === 0 ? 0 : 1,
  nextPage: null,
  pageSize: transactions.length,
  totalCount: transactions.length,
  transactions,
});

/** Pages of a history: each kind of transaction, and none. */
export const TRANSACTION_LIST_EXAMPLES: Readonly<Record<string, Example>> = {
  mixed: {
    summary: "newest first: a blocked card payment, then booked transactions",
    value: pageOf(CARD, DOMESTIC, SEPA, FOREIGN, FEE),
  },
  domestic: { summary: "an incoming domestic payment", value: pageOf(DOMESTIC) },
  sepa: { summary: "an outgoing SEPA payment in another currency", value: pageOf(SEPA) },
  foreign: { summary: "a payment outside the EEA", value: pageOf(FOREIGN) },
  none: { summary: "nothing found", value: pageOf() },
};
