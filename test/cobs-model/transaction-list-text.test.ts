import {
  type DetailsText,
  type Language,
  parseCurrencyCode,
  parseTransactionCode,
  presentTransactionList,
  readDetails,
  requireExistingPage,
  type StoredTransaction,
  type TransactionDetails,
  writeTransactionList,
} from "@cobs/cobs-model";
import { writeJson } from "@cobs/service-edge";
import { expect } from "chai";
import { DOMESTIC_DETAILS } from "../support/example-details.ts";

const LANGUAGES: readonly Language[] = ["cs", "en"];
const IN_BOTH = { cs: 'Nákup "U Kotvy" \\ 5 %', en: "Purchase" };

/** As PostgreSQL prints a `jsonb`: a space behind each colon and comma between members. */
function printStored(details: TransactionDetails): DetailsText {
  const lines = JSON.stringify(details, undefined, 1).split("\n");
  const text = lines.map((line) => line.replace(/^ +/, "")).join("\n");
  return text
    .replace(/([[{])\n/g, "$1")
    .replace(/\n([\]}])/g, "$1")
    .replaceAll("\n", " ") as DetailsText;
}

const TRANSACTION: StoredTransaction = {
  entryReference: 'ref "1"',
  amount: { minor: 99_999_999_999_999_999n, currency: parseCurrencyCode("CZK") },
  direction: "DBIT",
  isReversal: true,
  status: "PDNG",
  bookingDate: "2024-05-02T10:00:00.000+02:00",
  valueDate: "2024-05-02",
  code: parseTransactionCode("10000107000"),
  details: null,
};

function expectSame(details: TransactionDetails | null, stored: StoredTransaction["details"]): void {
  const others = {
    entryReference: null,
    amount: { ...TRANSACTION.amount, minor: 125_050n },
    valueDate: "2024-05-02T10:15Z",
  };
  const pageOf = (each: TransactionDetails | null) => {
    const entries = [
      { ...TRANSACTION, details: each },
      { ...TRANSACTION, ...others, details: each },
    ];
    return requireExistingPage({ page: 1, size: 2 }, { entries, totalCount: 7 });
  };
  const page = pageOf(details);
  const kept = { ...page, entries: page.entries.map((entry) => ({ ...entry, details: stored })) };
  for (const language of LANGUAGES) {
    const text = writeTransactionList(kept, language, writeJson).toString();
    const wanted = writeJson(presentTransactionList(page, language));
    expect(text).to.include('"value":999999999999999.99,');
    expect(JSON.parse(text)).to.deep.equal(JSON.parse(wanted));
  }
}

describe("the list of transactions as text (COBS 3.1.5)", () => {
  for (const [what, details] of Object.entries<TransactionDetails | null>({
    "no details": null,
    "none that is known": {},
    "amounts (4.3.5)": DOMESTIC_DETAILS,
    "a text in both languages": { additionalTransactionInformation: IN_BOTH, charges: { bearer: "SHA" } },
    "a text of the bank in one language": { additionalTransactionInformation: "ATM" },
    "texts that look like members": {
      remittanceInformation: { unstructured: '"additionalTransactionInformation": {"cs": "a", "en": "b"}' },
      relatedParties: { debtor: { name: '"amountDetails": {' } },
      additionalTransactionInformation: IN_BOTH,
    },
  })) {
    it(`says the same as the document does of ${what}, read or as it is kept`, () => {
      const stored = details && printStored(details);
      if (stored !== null) expect(readDetails(stored)).to.deep.equal(details);
      expectSame(details, details);
      expectSame(details, stored);
    });
  }

  it("reads what is kept in another form than the usual one", () => {
    const details = { additionalTransactionInformation: IN_BOTH };
    const turned = '{"additionalTransactionInformation": {"en": "Purchase", "cs": "Nákup"}}' as DetailsText;
    expectSame({ additionalTransactionInformation: { ...IN_BOTH, cs: "Nákup" } }, turned);
    expectSame(details, JSON.stringify(details) as DetailsText);
  });
});
