import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { EMPTY, HISTORY, MULTI_CURRENCY, RECENT, RICH } from "../resource/small-movements.ts";
import { envelopeOf, referencesOf, transactionsOf } from "./account-information.ts";

type Json = Readonly<Record<string, unknown>>;

interface Entry {
  readonly entryReference: string;
  readonly bookingDate: { readonly date: string };
  readonly valueDate: { readonly date: string };
  readonly bankTransactionCode: { readonly proprietary: { readonly code: string; readonly issuer: string } };
  readonly entryDetails?: { readonly transactionDetails: Json };
}

const ALWAYS = [
  "entryReference",
  "amount",
  "creditDebitIndicator",
  "reversalIndicator",
  "status",
  "bookingDate",
  "valueDate",
  "bankTransactionCode",
];
const ISO_DATE = /^\d{4}-\d\d-\d\d$/;
const ISO_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)$/;

/** Tests the wire format of `GET /my/accounts/{id}/transactions`. */
describe("COBS 2.0, 3.1.5 transaction list", () => {
  let resource: RunningResource;
  let token: string;
  let transactions: Entry[];
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
    transactions = JSON.parse((await get(HISTORY)).body).transactions;
  });
  after(() => resource.stop());

  const get = (id: string, query = "", headers: Record<string, string> = {}) =>
    resource.call({ token, path: transactionsOf(id, query), headers });
  const byReference = (reference: string) =>
    transactions.find(({ entryReference }) => entryReference === reference);
  const detailsOf = (reference: string) => byReference(reference)?.entryDetails?.transactionDetails;

  it("has the flat envelope and nothing else at its root (1.2.8.4, A-35)", async () => {
    const answer = await get(HISTORY, "?size=2");
    expect(JSON.parse(answer.body)).to.have.all.keys(
      "pageNumber",
      "pageCount",
      "nextPage",
      "pageSize",
      "totalCount",
      "transactions",
    );
    expect(envelopeOf(answer)).to.deep.equal({
      pageNumber: 0,
      pageCount: 6,
      nextPage: 1,
      pageSize: 2,
      totalCount: 12,
    });
  });

  it("gives the last 90 days, newest first, pending before booked (A-08)", async () => {
    expect(referencesOf(await get(HISTORY))).to.deep.equal(RECENT);
  });

  it("gives each transaction the elements of every type, and no empty objects (3.1.5.1, A-04)", () => {
    for (const transaction of transactions) {
      const { entryDetails: _details, ...others } = transaction;
      expect(others).to.have.all.keys(...ALWAYS);
    }
    expect(byReference("H-090")).not.to.have.property("entryDetails");
  });

  it("writes amounts unsigned, with their direction (3.1.5.1)", () => {
    expect(byReference("H-030")).to.deep.include({
      amount: { value: 1234.56, currency: "CZK" },
      creditDebitIndicator: "DBIT",
    });
    expect(byReference("H-060")).to.deep.include({
      amount: { value: 30_000, currency: "CZK" },
      creditDebitIndicator: "CRDT",
    });
  });

  it("writes the largest amount of the standard digit by digit, as a number (1.3, A-70)", async () => {
    expect((await get(RICH)).body).to.include('"amount":{"value":999999999999999.99,"currency":"USD"}');
  });

  it("distinguishes blocked from posted, and marks a cancellation (3.1.5.1)", () => {
    expect(byReference("P-1")).to.include({ status: "PDNG" });
    expect(byReference("H-005a")).to.include({ status: "BOOK", reversalIndicator: false });
    expect(byReference("H-009")).to.include({ status: "BOOK", reversalIndicator: true });
  });

  it("dates card and cash transactions with the time, all others with the day (3.1.5, 3.1.5.1)", () => {
    for (const { bankTransactionCode, bookingDate, valueDate } of transactions) {
      const { code, issuer } = bankTransactionCode.proprietary;
      expect(code).to.match(/^\d{11}$/);
      expect(issuer).to.equal("CBA");
      expect(bookingDate.date).to.match(/^[23]/.test(code) ? ISO_DATE_TIME : ISO_DATE);
      expect(valueDate.date).to.match(ISO_DATE);
    }
  });

  it("puts everything about a payment under transactionDetails (A-36, A-39)", () => {
    expect(detailsOf("H-060")).to.deep.equal({
      relatedParties: {
        debtor: { name: "Jan Novák" },
        debtorAccount: { identification: { iban: "CZ6508000000192000145399" } },
        creditorAccount: { identification: { iban: "CZ3299000000002000000018" } },
      },
      relatedAgents: {
        debtorAgent: { financialInstitutionIdentification: { other: { identification: "0800" } } },
        creditorAgent: { financialInstitutionIdentification: { bic: "TESTCZPP" } },
      },
      remittanceInformation: {
        unstructured: "Nájem květen",
        structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308"] } },
      },
      additionalTransactionInformation: "Tuzemská platba",
    });
  });

  it("writes numbers within details as numbers (3.1.5.1)", () => {
    expect(detailsOf("H-020")).to.deep.include({
      charges: { bearer: "SHA" },
      amountDetails: {
        instructedAmount: { amount: { value: 200, currency: "EUR" } },
        counterValueAmount: {
          amount: { value: 5000, currency: "CZK" },
          currencyExchange: { sourceCurrency: "CZK", targetCurrency: "EUR", exchangeRate: 25 },
        },
      },
    });
  });

  it("shows the mandate of a direct debit, and masks a card number (3.1.5.1.4, 3.1.5.1.7)", () => {
    expect(detailsOf("H-010")?.references).to.include({ mandateIdentification: "M-1" });
    expect(detailsOf("H-050")?.references).to.include({ chequeNumber: "xxxxxxxxxxxx1234" });
  });

  it("gives the bank's own texts in the preferred language, and says which (1.2.6)", async () => {
    const texts = async (language: string) => {
      const answer = await get(HISTORY, "?size=1", { "accept-language": language });
      const [first] = JSON.parse(answer.body).transactions;
      const { additionalTransactionInformation } = first.entryDetails.transactionDetails;
      return [answer.headers["content-language"], additionalTransactionInformation];
    };
    expect(await texts("en")).to.deep.equal(["en", "Card payment"]);
    expect(await texts("de, cs;q=0.5")).to.deep.equal(["cs", "Platba kartou"]);
    expect(await texts("de")).to.deep.equal(["cs", "Platba kartou"]);
  });

  it("has an empty first page for an account without transactions (1.2.8.4, A-07)", async () => {
    const answer = await get(EMPTY);
    expect(answer.status).to.equal(200);
    expect(JSON.parse(answer.body)).to.deep.equal({
      pageNumber: 0,
      pageCount: 0,
      nextPage: null,
      pageSize: 0,
      totalCount: 0,
      transactions: [],
    });
  });

  it("has one currency: the main one, unless another one is named (A-43)", async () => {
    expect(referencesOf(await get(MULTI_CURRENCY))).to.deep.equal(["M-EUR"]);
    expect(referencesOf(await get(MULTI_CURRENCY, "?currency=EUR"))).to.deep.equal(["M-EUR"]);
    expect(referencesOf(await get(MULTI_CURRENCY, "?currency=USD"))).to.deep.equal(["M-USD"]);
    expect(referencesOf(await get(MULTI_CURRENCY, "?currency=CZK"))).to.deep.equal([]);
  });
});
