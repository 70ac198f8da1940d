import {
  type DetailsText,
  type Language,
  parseCurrencyCode,
  parseTransactionCode,
  requireExistingPage,
  type StoredTransaction,
  type TransactionDetails,
  writeTransactionList,
} from "@cobs/cobs-model";
import { writeJson } from "@cobs/service-edge";
import { expect } from "chai";
import { readDetails } from "../../packages/cobs-model/src/stored-transaction.ts";
import { faultsBySchema } from "../openapi/check-answer.ts";
import { DOMESTIC_DETAILS } from "../support/example-details.ts";

const LANGUAGES: readonly Language[] = ["cs", "en"];
const IN_BOTH = { cs: 'Nákup "U Kotvy" \\ 5 %', en: "Purchase" };

/** The incoming domestic payment of the standard's example (4.3.5). */
const PAYMENT: StoredTransaction = {
  entryReference: "T-000000101",
  amount: { minor: 125_000n, currency: parseCurrencyCode("CZK") },
  direction: "CRDT",
  isReversal: false,
  status: "BOOK",
  bookingDate: "2024-05-02",
  valueDate: "2024-05-02",
  code: parseTransactionCode("10000107000"),
  details: DOMESTIC_DETAILS,
};

/** What it is on the wire without its details. */
const ENTRY = {
  entryReference: "T-000000101",
  amount: { value: 1250, currency: "CZK" },
  creditDebitIndicator: "CRDT",
  reversalIndicator: false,
  status: "BOOK",
  bookingDate: { date: "2024-05-02" },
  valueDate: { date: "2024-05-02" },
  bankTransactionCode: { proprietary: { code: "10000107000", issuer: "CBA" } },
};

/** As PostgreSQL prints a `jsonb`: a space behind each colon and comma between members. */
function printStored(details: TransactionDetails): DetailsText {
  const lines = JSON.stringify(details, undefined, 1).split("\n");
  const text = lines.map((line) => line.replace(/^ +/, "")).join("\n");
  return text
    .replace(/([[{])\n/g, "$1")
    .replace(/\n([\]}])/g, "$1")
    .replaceAll("\n", " ") as DetailsText;
}

function write(entries: readonly StoredTransaction[], language: Language = "cs"): string {
  const page = requireExistingPage({ page: 1, size: 2 }, { entries, totalCount: 7 });
  const text = writeTransactionList(page, language, writeJson).toString();
  expect(faultsBySchema("#/components/schemas/TransactionList", JSON.parse(text))).to.deep.equal([]);
  return text;
}

const present = (entry: StoredTransaction) => JSON.parse(write([entry])).transactions[0];

/** Expects these details on the wire, beside every member of the entry. */
function expectDetails(details: StoredTransaction["details"], language: Language, wire: object): void {
  const { transactions } = JSON.parse(write([{ ...PAYMENT, details }], language));
  expect(transactions).to.deep.equal([{ ...ENTRY, entryDetails: { transactionDetails: wire } }]);
}

const LOOK_ALIKES = {
  remittanceInformation: { unstructured: '"additionalTransactionInformation": {"cs": "a", "en": "b"}' },
  relatedParties: { debtor: { name: '"amountDetails": {' } },
};
const OF_BANK = { purpose: { code: "SALA" }, additionalTransactionInformation: "ATM" };
/** The amount of the standard's example on the wire. */
const ORDERED = { instructedAmount: { amount: { value: 1250, currency: "CZK" } } };
const RATE = { sourceCurrency: "CZK", targetCurrency: "EUR" };

/** Table: details as a bank gives them, and what they are on the wire in a language. */
const DETAILS: readonly (readonly [
  what: string,
  details: TransactionDetails,
  wire: (language: Language) => object,
])[] = [
  ["none that is known", {}, () => ({})],
  [
    "the standard's example (4.3.5)",
    DOMESTIC_DETAILS,
    () => ({ ...DOMESTIC_DETAILS, amountDetails: ORDERED }),
  ],
  [
    "every element under its own name",
    { ...DOMESTIC_DETAILS, charges: { bearer: "SHA" }, ...OF_BANK },
    () => ({ ...DOMESTIC_DETAILS, ...OF_BANK, charges: { bearer: "SHA" }, amountDetails: ORDERED }),
  ],
  [
    "amounts and the rate as numbers (1.3)",
    {
      amountDetails: {
        counterValueAmount: {
          amount: { value: "10.50", currency: "EUR" },
          currencyExchange: { ...RATE, exchangeRate: "25.4215" },
        },
      },
      additionalTransactionInformation: IN_BOTH,
    },
    (language) => ({
      amountDetails: {
        counterValueAmount: {
          amount: { value: 10.5, currency: "EUR" },
          currencyExchange: { ...RATE, exchangeRate: 25.4215 },
        },
      },
      additionalTransactionInformation: IN_BOTH[language],
    }),
  ],
  [
    "a text in both languages (PDF 1.2.6)",
    { additionalTransactionInformation: IN_BOTH, charges: { bearer: "SHA" } },
    (language) => ({ additionalTransactionInformation: IN_BOTH[language], charges: { bearer: "SHA" } }),
  ],
  ["a text of the bank in one language, beside a purpose", OF_BANK, () => OF_BANK],
  [
    "texts that look like members",
    { ...LOOK_ALIKES, additionalTransactionInformation: IN_BOTH },
    (language) => ({ ...LOOK_ALIKES, additionalTransactionInformation: IN_BOTH[language] }),
  ],
];

describe("the transaction list as JSON text (COBS 3.1.5)", () => {
  it("has the envelope of every list around `transactions` (1.2.8.4, A-35)", () => {
    const { transactions, ...envelope } = JSON.parse(write([PAYMENT, PAYMENT]));
    expect(envelope).to.deep.equal({
      pageNumber: 1,
      pageCount: 4,
      nextPage: 2,
      pageSize: 2,
      totalCount: 7,
    });
    expect(transactions).to.have.lengthOf(2);
  });

  for (const [what, details, wire] of DETAILS) {
    it(`writes details, parsed or stored as text: ${what}`, () => {
      const stored = printStored(details);
      expect(readDetails(stored)).to.deep.equal(details);
      for (const form of [details, stored])
        for (const language of LANGUAGES) expectDetails(form, language, wire(language));
    });
  }

  it("accepts stored details that are formatted differently", () => {
    const details = { additionalTransactionInformation: IN_BOTH };
    const turned = '{"additionalTransactionInformation": {"en": "Purchase", "cs": "Nákup"}}' as DetailsText;
    const dense = JSON.stringify(details) as DetailsText;
    for (const language of LANGUAGES) {
      const text = { cs: "Nákup", en: "Purchase" }[language];
      expectDetails(turned, language, { additionalTransactionInformation: text });
      expectDetails(dense, language, { additionalTransactionInformation: IN_BOTH[language] });
    }
  });

  it("omits what is not known, and writes no null or undefined at any depth (A-04)", () => {
    const { entryReference: _, ...others } = ENTRY;
    const bare = { ...PAYMENT, entryReference: null, details: null, isReversal: true };
    expect(present(bare)).to.deep.equal({ ...others, reversalIndicator: true });
  });

  it("escapes characters in texts as JSON requires", () => {
    expect(present({ ...PAYMENT, entryReference: 'ref "1"\\' }).entryReference).to.equal('ref "1"\\');
  });

  it("writes a moment with seconds, fraction and offset, and a day as it is (1.5)", () => {
    const dates = { bookingDate: "2024-05-02T10:00:00.000+02:00", valueDate: "2024-05-02T10:15Z" };
    const { bookingDate, valueDate } = present({ ...PAYMENT, ...dates });
    expect(bookingDate).to.deep.equal({ date: "2024-05-02T10:00:00.000+02:00" });
    expect(valueDate).to.deep.equal({ date: "2024-05-02T10:15:00.000Z" });
  });

  it("writes amounts beyond the precision of a double exactly (A-70)", () => {
    const amount = { ...PAYMENT.amount, minor: 99_999_999_999_999_999n };
    const inside = { instructedAmount: { amount: { value: "999999999999999.98", currency: "CZK" } } };
    const details = { ...DOMESTIC_DETAILS, amountDetails: inside };
    for (const form of [details, printStored(details)]) {
      const text = write([{ ...PAYMENT, amount, details: form }]);
      expect(text).to.include('"amount":{"value":999999999999999.99,"currency":"CZK"}');
      expect(text).to.include('"amount":{"value":999999999999999.98,"currency":"CZK"}');
    }
  });

  it("does not change its input", () => {
    const before = JSON.stringify(PAYMENT.details);
    write([PAYMENT]);
    expect(JSON.stringify(PAYMENT.details)).to.equal(before);
  });
});
