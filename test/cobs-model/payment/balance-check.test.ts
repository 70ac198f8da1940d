import { keepNumber, presentBalanceCheck, presentDecimal, readBalanceCheck } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { put } from "../sample-transactions.ts";

const AMOUNT = "transactionDetails.totalAmount";

/** Table 3.3.3.1 once more, from the standard: path, whether it must be there, the longest text. */
const ROWS: readonly (readonly [path: string, letter: "M" | "O", max?: number])[] = [
  ["exchangeIdentification", "M", 18],
  ["card", "O"],
  ["card.cardholderName", "O", 45],
  ["card.maskedPan", "M"],
  ["debtorAccount", "M"],
  ["debtorAccount.identification", "M"],
  ["debtorAccount.identification.iban", "M"],
  ["debtorAccount.currency", "O"],
  ["authenticationMethod", "O"],
  ["merchant", "O"],
  ["merchant.identification", "M", 35],
  ["merchant.type", "O"],
  ["merchant.shortName", "M", 35],
  ["merchant.commonName", "M", 70],
  ["merchant.address", "O", 140],
  ["merchant.countryCode", "O"],
  ["merchant.merchantCategoryCode", "M"],
  ["transactionDetails", "M"],
  ["transactionDetails.currency", "M"],
  ["transactionDetails.totalAmount", "M"],
];

/** Tables 4.2 and 4.22.2 once more, from the standard. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  authenticationMethod: [
    ...["NPIN", "PPSG", "PSWD", "SCRT", "SCNL", "SNCT", "CPSG", "ADDB"],
    ...["BIOM", "CDHI", "CRYP", "CSCV", "PSVE", "CSEC", "ADDS", "TOKP"],
  ],
  "merchant.type": ["OPOI", "MERC", "ACCP", "ITAG", "ACQR", "CISS", "DLIS"],
};

const WHOLE = {
  exchangeIdentification: "123456789",
  card: { cardholderName: "Jan Novák", maskedPan: "1234********6789" },
  debtorAccount: { identification: { iban: "CZ3299000000002000000018" }, currency: "CZK" },
  authenticationMethod: "NPIN",
  merchant: {
    identification: "12345678",
    type: "MERC",
    shortName: "KNIHY",
    commonName: "Knihy & papír s.r.o.",
    address: "Hlavní 5, Praha 1",
    countryCode: "CZ",
    merchantCategoryCode: "5192",
  },
  transactionDetails: { currency: "CZK", totalAmount: 499 },
};

function changed(path: string, value: unknown): Record<string, unknown> {
  const body: Record<string, unknown> = structuredClone(WHOLE);
  put(body, path, value);
  return body;
}

const faultsOf = (body: unknown) => readBalanceCheck(body).faults.map(({ code, path }) => `${code} ${path}`);
const checkOf = (body: unknown) => {
  const { check, faults } = readBalanceCheck(body);
  if (check === undefined) throw new Error(JSON.stringify(faults));
  return check;
};

describe("a balance check (COBS 3.3.3)", () => {
  it("is read with all its optional members (3.2.3)", () => {
    const { card, merchant, authenticationMethod, exchangeIdentification } = WHOLE;
    expect(checkOf(WHOLE)).to.deep.equal({
      exchangeIdentification,
      card,
      merchant,
      authenticationMethod,
      debtorAccount: { iban: "CZ3299000000002000000018", currency: "CZK" },
      amount: { minor: 49900n, currency: "CZK" },
    });
  });

  for (const [path, letter] of ROWS)
    it(`${letter === "M" ? "must" : "may"} have ${path}`, () => {
      const expected = letter === "M" ? [`FIELD_MISSING ${path}`] : [];
      for (const absent of [undefined, null]) expect(faultsOf(changed(path, absent))).to.deep.equal(expected);
    });

  for (const [path, , max = 0] of ROWS.filter(([, , longest]) => longest !== undefined))
    it(`accepts ${max} characters in ${path} and not one more`, () => {
      expect(faultsOf(changed(path, "x".repeat(max)))).to.deep.equal([]);
      expect(faultsOf(changed(path, "x".repeat(max + 1)))).to.deep.equal([`FIELD_INVALID ${path}`]);
    });

  for (const [path, codes] of Object.entries(CODES))
    it(`accepts only the codes of the standard in ${path} (4.2, 4.22.2)`, () => {
      for (const code of codes) expect(faultsOf(changed(path, code)), code).to.deep.equal([]);
      for (const code of ["ABCD", "npin", "MERCH"])
        expect(faultsOf(changed(path, code)), code).to.deep.equal([`FIELD_INVALID ${path}`]);
    });

  it("accepts the member names of the standard's examples too (A-75)", () => {
    const card = { cardHolderName: "Jan Novak", maskedPAN: "1234 **** **** 6789" };
    expect(checkOf(changed("card", card)).card).to.deep.equal({
      cardholderName: "Jan Novak",
      maskedPan: "1234 **** **** 6789",
    });
  });

  for (const [sent, told] of [
    ["123456789", "123456789"],
    ["A-1", "A-1"],
    [123456789, 123456789],
    [0, 0],
    [keepNumber("123456789012345678"), { exactNumber: "123456789012345678" }],
  ] as const)
    it(`gets its id back in the JSON type in which it came: ${JSON.stringify(sent)} (A-74)`, () => {
      const check = checkOf({ ...WHOLE, exchangeIdentification: sent });
      expect(presentBalanceCheck(check, { responseIdentification: 98765n, enough: true })).to.deep.equal({
        responseIdentification: 98765,
        exchangeIdentification: told,
        response: "APPR",
      });
    });

  for (const id of [1.5, -1, true, {}, ["1"], keepNumber("1234567890123456789"), { exactNumber: "1" }])
    it(`cannot have the id ${JSON.stringify(id)} (A-74)`, () => {
      expect(faultsOf({ ...WHOLE, exchangeIdentification: id })).to.deep.equal([
        "FIELD_INVALID exchangeIdentification",
      ]);
    });

  it("is identified by the same text whether its id is a number or text (A-74)", () => {
    const textOf = (exchangeIdentification: unknown) =>
      readBalanceCheck({ ...WHOLE, exchangeIdentification }).exchangeText;
    for (const same of ["1", 1, keepNumber("1.0"), keepNumber("10e-1")]) expect(textOf(same)).to.equal("1");
    expect(textOf(keepNumber("123456789012345678"))).to.equal("123456789012345678");
    for (const wrong of [1.5, -1, "č", ["1"], undefined]) expect(textOf(wrong)).to.equal(undefined);
  });

  it("has identifications in permitted characters only (RR10), names in any letters", () => {
    for (const path of ["exchangeIdentification", "merchant.identification"])
      for (const text of ["č", "a*", "/a", "a//b"])
        expect(faultsOf(changed(path, text))).to.deep.equal([`RR10 ${path}`]);
    expect(faultsOf(changed("merchant.commonName", "名前 & Söhne"))).to.deep.equal([]);
    expect(faultsOf(changed("merchant.commonName", "a\u202eb"))).to.deep.equal(["RR10 merchant.commonName"]);
  });

  it("needs a valid IBAN (AC02), and a currency code if it names one (AC09)", () => {
    const iban = "debtorAccount.identification.iban";
    expect(faultsOf(changed(iban, "CZ3399000000002000000018"))).to.deep.equal([`AC02 ${iban}`]);
    expect(faultsOf(changed("debtorAccount.currency", "czk"))).to.deep.equal(["AC09 debtorAccount.currency"]);
    expect(checkOf(changed("debtorAccount.currency", undefined)).debtorAccount.currency).to.equal(undefined);
  });

  for (const [path, value] of [
    ["card.maskedPan", "1234-5678"],
    ["card.maskedPan", "*".repeat(31)],
    ["card.maskedPan", "4000001234567"],
    ["card.maskedPan", "4000 0012 3456 7899"],
    ["authenticationMethod", "PIN"],
    ["merchant.type", "SHOP"],
    ["merchant.countryCode", "XX"],
    ["merchant.merchantCategoryCode", "51"],
    ["merchant.merchantCategoryCode", "51920"],
    ["transactionDetails.currency", "czk"],
    ["transactionDetails.totalAmount", "499"],
    ["card.maskedPan", ["1234"]],
    ["merchant.merchantCategoryCode", 5192],
  ] as const)
    it(`cannot have ${path} ${JSON.stringify(value)}`, () => {
      expect(faultsOf(changed(path, value))).to.deep.equal([`FIELD_INVALID ${path}`]);
    });

  it("may have an amount of up to 18 digits, kept without loss (A-76)", () => {
    for (const digits of ["0.01", "499.10", "9999999999999999.99"]) {
      const body = { ...WHOLE, transactionDetails: { currency: "CZK", totalAmount: keepNumber(digits) } };
      expect(presentDecimal(checkOf(body).amount)).to.equal(digits);
    }
  });

  for (const [value, wrong] of [
    [0, "must be above zero"],
    [-1, "must be above zero"],
    [0.001, "must have at most 2 decimals"],
    [1e18, "has more than 18 digits"],
    [keepNumber("99999999999999999.99"), "has more than 18 digits"],
    [keepNumber("1e999"), "has more than 18 digits"],
  ] as const)
    it(`cannot have the amount ${JSON.stringify(value)}, and the refusal says why (AM12)`, () => {
      const body = { ...WHOLE, transactionDetails: { currency: "CZK", totalAmount: value } };
      const { faults } = readBalanceCheck(body);
      expect(faults).to.deep.equal([{ code: "AM12", path: AMOUNT, message: `${AMOUNT} ${wrong}` }]);
    });

  it("is limited to the decimals of its currency (AM12, ISO 4217)", () => {
    const inCurrency = (currency: string, totalAmount: number) =>
      faultsOf({ ...WHOLE, transactionDetails: { currency, totalAmount } });
    expect(inCurrency("KWD", 1.234)).to.deep.equal([]);
    expect(inCurrency("JPY", 1.5)).to.deep.equal([`AM12 ${AMOUNT}`]);
    expect(inCurrency("kwd", 1.234)).to.deep.equal(["FIELD_INVALID transactionDetails.currency"]);
  });

  it("hears how many decimals its currency has", () => {
    const toldIn = (currency: string) =>
      readBalanceCheck({ ...WHOLE, transactionDetails: { currency, totalAmount: 1.2345 } }).faults;
    for (const [currency, wrong] of [
      ["JPY", "must have no decimals"],
      ["KWD", "must have at most 3 decimals"],
    ] as const)
      expect(toldIn(currency)).to.deep.equal([{ code: "AM12", path: AMOUNT, message: `${AMOUNT} ${wrong}` }]);
  });

  it("hears which signs mask a card number", () => {
    const { faults } = readBalanceCheck(changed("card.maskedPan", "1234XXXX6789"));
    expect(faults.map(({ message }) => message)).to.deep.equal([
      "card.maskedPan must be a masked card number: at most 30 digits, spaces and asterisks, of which at most 12 are digits",
    ]);
  });

  it("gets all its faults reported at once", () => {
    expect(faultsOf({})).to.deep.equal([
      "FIELD_MISSING exchangeIdentification",
      "FIELD_MISSING debtorAccount",
      "FIELD_MISSING transactionDetails",
    ]);
    for (const body of [null, [], 1]) expect(faultsOf(body)).to.deep.equal(["FF01 undefined"]);
  });

  it("yields either a question or faults, whatever the JSON", () => {
    const path = fc.constantFrom(...ROWS.map(([each]) => each));
    const body = fc.oneof(
      fc.jsonValue(),
      fc.tuple(path, fc.oneof(fc.jsonValue(), fc.string(), fc.double())).map(([at, to]) => changed(at, to)),
    );
    fc.assert(
      fc.property(body, (each) => {
        const { check, faults } = readBalanceCheck(each);
        expect(check === undefined).to.equal(faults.length > 0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the answer to a balance check (COBS 3.3.3.2)", () => {
  it("is yes or no, and reveals no balance", () => {
    const answer = presentBalanceCheck(
      { exchangeIdentification: "1" },
      { responseIdentification: 5n, enough: false },
    );
    expect(answer).to.deep.equal({
      responseIdentification: 5,
      exchangeIdentification: "1",
      response: "DECL",
    });
  });

  it("has an id of up to 18 digits, kept without loss", () => {
    const { responseIdentification } = presentBalanceCheck(
      { exchangeIdentification: "1" },
      { responseIdentification: 999_999_999_999_999_999n, enough: true },
    );
    expect(responseIdentification).to.deep.equal({ exactNumber: "999999999999999999" });
  });
});
