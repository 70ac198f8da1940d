import {
  type Language,
  parseCurrencyCode,
  parseTransactionCode,
  presentTransactionList,
  requireExistingPage,
  type Transaction,
} from "@cobs/cobs-model";
import { expect } from "chai";
import { DOMESTIC_DETAILS } from "../support/example-details.ts";

const CZK = parseCurrencyCode("CZK");

/** The incoming domestic payment of the standard's example (4.3.5). */
const PAYMENT: Transaction = {
  entryReference: "T-000000101",
  amount: { minor: 125_000n, currency: CZK },
  direction: "CRDT",
  isReversal: false,
  status: "BOOK",
  bookingDate: "2024-05-02",
  valueDate: "2024-05-02",
  code: parseTransactionCode("10000107000"),
  details: DOMESTIC_DETAILS,
};

function present(transaction: Transaction, language: Language = "cs") {
  const page = requireExistingPage({ page: 0, size: 100 }, { entries: [transaction], totalCount: 1 });
  return presentTransactionList(page, language).transactions[0];
}

const detailsOf = (details: Transaction["details"], language?: Language) =>
  present({ ...PAYMENT, details }, language)?.entryDetails?.transactionDetails;

describe("the document of the list of transactions (COBS 3.1.5)", () => {
  it("has the envelope of every list around `transactions` (1.2.8.4, A-35)", () => {
    const page = requireExistingPage({ page: 1, size: 1 }, { entries: [PAYMENT], totalCount: 3 });
    const { transactions, ...envelope } = presentTransactionList(page, "cs");
    expect(envelope).to.deep.equal({
      pageNumber: 1,
      pageCount: 3,
      nextPage: 2,
      pageSize: 1,
      totalCount: 3,
    });
    expect(transactions).to.have.lengthOf(1);
  });

  it("writes the payment of the standard's example as the standard does (4.3.5)", () => {
    expect(present(PAYMENT)).to.deep.equal({
      entryReference: "T-000000101",
      amount: { value: 1250, currency: "CZK" },
      creditDebitIndicator: "CRDT",
      reversalIndicator: false,
      status: "BOOK",
      bookingDate: { date: "2024-05-02" },
      valueDate: { date: "2024-05-02" },
      bankTransactionCode: { proprietary: { code: "10000107000", issuer: "CBA" } },
      entryDetails: {
        transactionDetails: {
          ...PAYMENT.details,
          amountDetails: { instructedAmount: { amount: { value: 1250, currency: "CZK" } } },
        },
      },
    });
  });

  it("leaves out what is not known, and writes no null and no undefined into the deep (A-04)", () => {
    const bare = present({ ...PAYMENT, entryReference: null, details: null, isReversal: true });
    expect(Object.keys(bare ?? {})).to.have.members([
      "amount",
      "creditDebitIndicator",
      "reversalIndicator",
      "status",
      "bookingDate",
      "valueDate",
      "bankTransactionCode",
    ]);
    expect(bare?.reversalIndicator).to.equal(true);
    expect(Object.keys(detailsOf({}) ?? {})).to.deep.equal([]);
  });

  it("writes every element of the details under its own name", () => {
    const details = {
      ...PAYMENT.details,
      charges: { bearer: "SHA" },
      purpose: { code: "SALA" },
      additionalTransactionInformation: "as the core system says",
    } as const;
    expect(detailsOf(details)).to.deep.equal({
      ...details,
      amountDetails: { instructedAmount: { amount: { value: 1250, currency: "CZK" } } },
    });
  });

  it("writes amounts and the rate as numbers (1.3)", () => {
    const counterValueAmount = {
      amount: { value: "999999999999999.99", currency: "CZK" },
      currencyExchange: { sourceCurrency: "CZK", targetCurrency: "EUR", exchangeRate: "25.4215" },
    };
    expect(detailsOf({ amountDetails: { counterValueAmount } })).to.deep.equal({
      amountDetails: {
        counterValueAmount: {
          amount: { value: { exactNumber: "999999999999999.99" }, currency: "CZK" },
          currencyExchange: { sourceCurrency: "CZK", targetCurrency: "EUR", exchangeRate: 25.4215 },
        },
      },
    });
  });

  it("writes the bank's texts in the language that was chosen (PDF 1.2.6)", () => {
    const details = { additionalTransactionInformation: { cs: "Výběr z bankomatu", en: "ATM withdrawal" } };
    expect(detailsOf(details, "cs")).to.deep.equal({ additionalTransactionInformation: "Výběr z bankomatu" });
    expect(detailsOf(details, "en")).to.deep.equal({ additionalTransactionInformation: "ATM withdrawal" });
  });

  it("changes nothing of what it was given", () => {
    const before = JSON.stringify(PAYMENT.details);
    present(PAYMENT);
    expect(JSON.stringify(PAYMENT.details)).to.equal(before);
  });
});
