import { ContentRefusal, findCountryCode, requireTransaction } from "@cobs/cobs-model";
import { expect } from "chai";
import { changedTransaction as changed, faultsOf, put } from "./sample-transactions.ts";
import type { Column } from "./transaction-tables.ts";

/** An element, values that it may have and values that it may not, in a kind of transaction that has it. */
type Example = readonly [
  path: string,
  column: Column,
  accepted: readonly unknown[],
  refused: readonly unknown[],
];

const DEBTOR = "details.relatedParties.debtor";
const CREDITOR_AGENT = "details.relatedAgents.creditorAgent.financialInstitutionIdentification";
const INSTRUCTED = "details.amountDetails.instructedAmount.amount";
const EXCHANGE = "details.amountDetails.counterValueAmount.currencyExchange";
const NOT_TEXT = [1, true, {}, [], ["a"]];
const UNSAFE = ["a\u0000", "a\nb", "a\u202eb", "\ud800", "a\u2028"];
const SLASHES = ["/a", "a/", "a//b", "/"];

const EXAMPLES: readonly Example[] = [
  ["direction", "plain", ["CRDT", "DBIT"], ["crdt", "DEBT", 1, {}]],
  ["status", "plain", ["BOOK", "PDNG"], ["INFO", "book", true]],
  ["isReversal", "plain", [true, false, ""], ["true", 1, {}]],
  [
    "bookingDate",
    "plain",
    ["2024-05-02", "2024-02-29", "2024-05-02T12:15:00.0Z", "2024-05-02T12:15:00+02:00"],
    [
      "2023-02-29",
      "2024-05-02T12:15:00",
      "2017-01-31T00:00:00.000+01",
      "02.05.2024",
      20240502,
      ["2024-05-02T12:15:00Z"],
    ],
  ],
  ["valueDate", "plain", ["2024-05-02", "2024-05-02T12:15:00.000-11:30"], ["2024-13-01", "tomorrow", {}]],
  ["code", "plain", ["30000201000", "30000299999"], ["3000020100", "300002010000", "3000020100a"]],
  [
    "amount.value",
    "plain",
    ["0", "0.01", "1250.5", "1250.50", "9999999999999999.99"],
    ["-1", "+1", "1,00", "1.005", "1e3", ".5", "5.", " 1", 1250.5, "99999999999999999.99"],
  ],
  ["amount.currency", "plain", ["EUR"], ["czk", "EURO", "E1R", 978, ["EUR"]]],
  [`${INSTRUCTED}.value`, "foreign", ["1.10", "12345"], ["1.101", "-1", 1]],
  [`${INSTRUCTED}.currency`, "foreign", ["USD"], ["usd", "US", "$"]],
  [`${EXCHANGE}.sourceCurrency`, "foreign", ["USD"], ["usd", 1]],
  [`${EXCHANGE}.targetCurrency`, "foreign", ["USD"], ["usd", 1]],
  [
    `${EXCHANGE}.exchangeRate`,
    "foreign",
    ["25.4215", "1", "0.0000000001", "1".repeat(18), `0.${"0".repeat(16)}1`],
    ["0", "0.00", "-1", "1e3", 25.4215, "1".repeat(19)],
  ],
  ["details.charges.bearer", "foreign", ["OUR", "SHA", "BEN"], ["DEBT", "CRED", "SHAR", "SLEV", "our"]],
  [
    "details.references.endToEndIdentification",
    "domestic",
    ["NOTPROVIDED", "", "a/b", "a-b ?:().,'+"],
    ["Č", "a*b", "a_b", "1".repeat(36), ...SLASHES, ...UNSAFE, ...NOT_TEXT],
  ],
  ["entryReference", "plain", ["T-000000101", ""], ["T_1", "ž", ...SLASHES, ...NOT_TEXT]],
  [
    "details.references.chequeNumber",
    "plain",
    ["xxxxxxxxxxxx1234", "1234****", "123456"],
    ["12#34", "/1234", ...NOT_TEXT],
  ],
  [
    `${DEBTOR}.name`,
    "sepa",
    ["Jan Novák", "Žižkovská pekárna s.r.o.", "O'Neil & Co.", "Müller"],
    [...UNSAFE, ...NOT_TEXT],
  ],
  [
    "details.remittanceInformation.unstructured",
    "domestic",
    ["Nájem květen", "/VS/7418529630/SS/1234567890", ""],
    [...UNSAFE, ...NOT_TEXT],
  ],
  [
    "details.remittanceInformation.structured.creditorReferenceInformation.reference",
    "domestic",
    [["VS:2024005"], ["KS:0308", "VS:1", "SS:1234567890"], []],
    [
      ["VS:12345678901"],
      ["VS:"],
      ["XS:1"],
      ["vs:1"],
      ["VS:1", "VS:2"],
      ["VS:1", "KS:1", "SS:1", "VS:1"],
      [1],
      [["VS:1"]],
      "VS:1",
    ],
  ],
  [
    "details.additionalTransactionInformation",
    "plain",
    ["Výběr", { cs: "Výběr", en: "Withdrawal" }, { cs: "a".repeat(500), en: "" }],
    [
      { cs: "Výběr" },
      { cs: "" },
      { cs: "Výběr", en: 1 },
      { cs: "a", en: "b", de: "c" },
      { cs: "a".repeat(501), en: "" },
      { cs: "a".repeat(501), en: "b" },
      { cs: "a", en: "b".repeat(501) },
      [],
      1,
      ...UNSAFE,
    ],
  ],
  [
    `${CREDITOR_AGENT}.bic`,
    "sepa",
    ["TESTCZPP", "TESTCZPPXXX", "TESTCZ22123"],
    ["TESTCZP", "TESTCZPPP", "TESTCZPPXX", ["TESTCZPP"]],
  ],
  [
    `${CREDITOR_AGENT}.bic`,
    "sepa",
    ["ABCDEFA0"],
    ["testczpp", "TEST1ZPP", "TESTCZ1P", "TESTCZ0P", "TESTCZPO", 1],
  ],
  [
    `${DEBTOR}.identification.organisationIdentification.bicOrBei`,
    "sepa",
    ["TESTCZPP"],
    ["TESTCZP", "testczpp", {}],
  ],
  [
    "details.relatedParties.debtorAccount.identification.iban",
    "sepa",
    ["CZ6508000000192000145399", "DE89370400440532013000"],
    [
      "CZ6508000000192000145398",
      "CZ0708000000001019540081",
      "CZ65 0800 0000 1920 0014 5399",
      1,
      ["CZ6508000000192000145399"],
    ],
  ],
  [
    `${DEBTOR}.identification.organisationIdentification.other`,
    "sepa",
    [[], [{ identification: "1" }], Array.from({ length: 10 }, () => ({}))],
    [{}, "a", Array.from({ length: 11 }, () => ({}))],
  ],
  ["details.relatedParties.debtorAccount.currency", "sepa", ["CZK", ""], ["czk", " "]],
  [`${DEBTOR}.postalAddress.country`, "sepa", ["CZ", "DE", "GB", ""], ["cz", "UK", "XX", "CZE", " ", ["CZ"]]],
];

describe("the formats of a transaction's elements (COBS 3.1.5.1, 4.9.1.1, 4.10.1.1, 4.27, A-10)", () => {
  for (const [path, column, accepted, refused] of EXAMPLES) {
    for (const value of accepted) {
      it(`accept ${JSON.stringify(value)} as ${path}`, () => {
        expect(faultsOf(changed(column, path, value))).to.deep.equal([]);
      });
    }

    for (const value of refused) {
      it(`refuse ${JSON.stringify(value)} as ${path}`, () => {
        expect(faultsOf(changed(column, path, value))).to.deep.equal([`FIELD_INVALID ${path}`]);
      });
    }
  }

  it("limit an amount to the decimals of its currency (ISO 4217)", () => {
    const yen = (value: string) => {
      const transaction = changed("plain", "amount", { value, currency: "JPY" });
      put(transaction, "details", undefined);
      return transaction;
    };
    expect(faultsOf(yen("100"))).to.deep.equal([]);
    expect(faultsOf(yen("100.0"))).to.deep.equal(["FIELD_INVALID amount.value"]);
  });

  it("explain a wrong amount by the decimals of its currency (ISO 4217)", () => {
    for (const path of ["amount.value", "details.amountDetails.instructedAmount.amount.value"]) {
      expect(() => requireTransaction(changed("domestic", path, "12.345678")))
        .to.throw(ContentRefusal)
        .with.nested.property("faults[0].message")
        .that.matches(
          / at most 18 decimal digits, without a sign, with no more decimals than its currency has$/,
        );
    }
  });

  it("explain what is not an amount at all, apart from decimals", () => {
    for (const [value, message] of [
      ["12.30", "amount is not an object"],
      [{ value: "1.0", currency: "JPY" }, "amount.value has more decimals than its currency"],
    ] as const)
      expect(() => requireTransaction(changed("plain", "amount", value)))
        .to.throw(ContentRefusal)
        .with.nested.property("faults[0].message", message);
  });

  it("include the 249 countries of ISO 3166, and XK, which banks use for Kosovo", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const known = letters.flatMap((one) => letters.filter((two) => findCountryCode(one + two) !== undefined));
    expect(known).to.have.lengthOf(250);
    expect(
      ["EU", "XK", "AN", "YU", "UK"].filter((code) => findCountryCode(code) !== undefined),
    ).to.deep.equal(["XK"]);
  });
});

describe("the form of an address (COBS 4.10.1.4)", () => {
  const path = "details.relatedParties.ultimateCreditor.postalAddress";
  const lines = (count: number) => Array.from({ length: count }, (_, position) => `line ${position}`);

  for (const [parent, most] of [
    [`${DEBTOR}.postalAddress`, 2],
    ["details.relatedParties.ultimateDebtor.postalAddress", 2],
    [path, 7],
  ] as const) {
    it(`has at most ${most} lines at ${parent}`, () => {
      const withLines = (count: number) =>
        changed("sepa", parent, { country: "CZ", addressLine: lines(count) });
      expect(faultsOf(withLines(1))).to.deep.equal([]);
      expect(faultsOf(withLines(most))).to.deep.equal([]);
      expect(faultsOf(withLines(most + 1))).to.deep.equal([`FIELD_INVALID ${parent}.addressLine`]);
      expect(faultsOf(withLines(0))).to.deep.equal([]);
    });
  }

  it("is structured if its lines are an empty array, which says nothing (PDF 1.2.3)", () => {
    expect(faultsOf(changed("sepa", path, { townName: "Praha", addressLine: [] }))).to.deep.equal([]);
  });

  it("has lines of at most 70 characters", () => {
    const withLine = (line: unknown) => changed("sepa", path, { addressLine: ["Na Příkopě 1", line] });
    expect(faultsOf(withLine("a".repeat(70)))).to.deep.equal([]);
    expect(faultsOf(withLine("a".repeat(71)))).to.deep.equal([`FIELD_INVALID ${path}.addressLine[1]`]);
    expect(faultsOf(withLine(null))).to.deep.equal([`FIELD_INVALID ${path}.addressLine[1]`]);
  });

  for (const name of ["streetName", "buildingNumber", "postCode", "townName"]) {
    it(`has either lines or ${name}, not both`, () => {
      const address = { addressLine: ["Na Příkopě 1"], [name]: "1" };
      expect(faultsOf(changed("sepa", path, address))).to.deep.equal([`FIELD_INVALID ${path}.addressLine`]);
    });
  }
});
