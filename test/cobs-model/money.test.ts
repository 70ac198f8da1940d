import {
  type CurrencyCode,
  decimalsOf,
  findNumberText,
  keepNumber,
  parseCurrencyCode,
  parseDecimal,
  presentDecimal,
} from "@cobs/cobs-model";
import { writeJson } from "@cobs/service-edge";
import { expect } from "chai";
import fc from "fast-check";
import { presentAmount, presentNumber } from "../../packages/cobs-model/src/money.ts";

const CZK = parseCurrencyCode("CZK");
const CURRENCIES = ["CZK", "EUR", "JPY", "KWD", "CLF"].map((code) => parseCurrencyCode(code));

/** The digits of a number as they stand on the wire, whoever writes them. */
function digitsOf(money: { minor: bigint; currency: CurrencyCode }): string {
  const { value } = presentAmount(money);
  return typeof value === "number" ? JSON.stringify(value) : value.exactNumber;
}

/** A decimal in minor units, worked out apart from the code. */
function minorOf(digits: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = digits.replace("-", "").split(".");
  const minor = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, "0") || "0");
  return digits.startsWith("-") ? -minor : minor;
}

describe("an amount (COBS AMT)", () => {
  for (const [minor, currency, digits] of [
    [125_000n, "CZK", "1250"],
    [1n, "CZK", "0.01"],
    [0n, "CZK", "0"],
    [-3_512_040n, "EUR", "-35120.4"],
    [5n, "JPY", "5"],
    [1_234n, "KWD", "1.234"],
    [99_999_999_999_999_999n, "CZK", "999999999999999.99"],
    [999_999_999_999_999n, "CZK", "9999999999999.99"],
    [1_000_000_000_000_000n, "CZK", "10000000000000.00"],
  ] as const) {
    it(`of ${minor} minor units of ${currency} is ${digits} on the wire`, () => {
      expect(digitsOf({ minor, currency: parseCurrencyCode(currency) })).to.equal(digits);
    });
  }

  it("keeps its last digit where a 64-bit number would lose it (A-70)", () => {
    const money = { minor: 99_999_999_999_999_999n, currency: CZK };
    expect(presentAmount(money).value).to.deep.equal({ exactNumber: "999999999999999.99" });
    expect(JSON.stringify(Number("999999999999999.99"))).to.equal("1000000000000000");
  });

  it("is read back exactly from its decimal and its wire form, at any size and in any currency", () => {
    const minor = fc.bigInt({ min: 0n, max: 10n ** 18n });
    fc.assert(
      fc.property(minor, fc.constantFrom(...CURRENCIES), (each, currency) => {
        const money = { minor: each, currency };
        expect(parseDecimal(presentDecimal(money), currency)).to.equal(each);
        expect(minorOf(digitsOf(money), decimalsOf(currency))).to.equal(each);
        const below = { minor: -each, currency };
        expect(minorOf(digitsOf(below), decimalsOf(currency))).to.equal(-each);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a decimal in a currency", () => {
  for (const [text, minor] of [
    ["1250.00", 125_000n],
    ["1250", 125_000n],
    ["1250.5", 125_050n],
    ["0.01", 1n],
    ["0", 0n],
    ["007.10", 710n],
    ["999999999999999.99", 99_999_999_999_999_999n],
  ] as const) {
    it(`is read from ${text}`, () => {
      expect(parseDecimal(text, CZK)).to.equal(minor);
    });
  }

  for (const text of [
    "",
    "-1",
    "+1",
    "1,00",
    "1.",
    ".5",
    "1.005",
    "1e3",
    "0x10",
    " 1",
    "1 000",
    "1\n",
    "NaN",
    "١",
    "1".repeat(33),
  ]) {
    it(`cannot be ${JSON.stringify(text)}`, () => {
      expect(parseDecimal(text, CZK)).to.equal(undefined);
    });
  }

  it("has no more decimals than its currency (ISO 4217)", () => {
    expect(parseDecimal("1.0", parseCurrencyCode("JPY"))).to.equal(undefined);
    expect(parseDecimal("1.234", parseCurrencyCode("KWD"))).to.equal(1_234n);
    expect(parseDecimal("1.2345", parseCurrencyCode("KWD"))).to.equal(undefined);
  });

  it("may have up to 29 digits, and the decimals of its currency", () => {
    const most = "1".repeat(29);
    expect(parseDecimal(`${most}.00`, CZK)).to.equal(BigInt(most) * 100n);
    expect(parseDecimal(`${most}.000`, parseCurrencyCode("KWD"))).to.equal(BigInt(most) * 1_000n);
    for (const text of [`${most}1`, `${most}1.00`]) expect(parseDecimal(text, CZK)).to.equal(undefined);
  });

  it("has two places in every currency except those of the table (ISO 4217)", () => {
    for (const [decimals, codes] of [
      [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
      [2, "CHF CZK EUR GBP HUF PLN TRY TWD UAH USD"],
      [3, "BHD IQD JOD KWD LYD OMR TND"],
      [4, "CLF UYW"],
    ] as const)
      for (const code of codes.split(" "))
        expect(decimalsOf(parseCurrencyCode(code)), code).to.equal(decimals);
  });
});

describe("a number on the wire", () => {
  it("is a plain JSON number up to 15 significant digits, beyond that its own digits (A-70)", () => {
    expect(presentNumber("25.4215")).to.equal(25.4215);
    expect(presentNumber("0000000000000000001.5")).to.equal(1.5);
    expect(presentNumber("0123456789012.345")).to.equal(123456789012.345);
    expect(presentNumber("1234567890.12345678")).to.deep.equal({ exactNumber: "1234567890.12345678" });
  });

  it("is valid JSON even if a core system writes leading zeros (RFC 8259 section 6)", () => {
    for (const [decimal, written] of [
      ["0123456789012345.67", "123456789012345.67"],
      ["00.12345678901234567", "0.12345678901234567"],
      ["-0123456789012345.67", "-123456789012345.67"],
    ] as const)
      expect(writeJson([presentNumber(decimal)])).to.equal(`[${written}]`);
  });

  it("has the same value as its decimal, whatever the digits", () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 5 }))
      .map(([digits, places]) => {
        const text = String(digits).padStart(places + 1, "0");
        return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
      });
    fc.assert(
      fc.property(decimal, (text) => {
        const value = presentNumber(text);
        const told = typeof value === "number" ? JSON.stringify(value) : value.exactNumber;
        expect(minorOf(told, 5)).to.equal(minorOf(text, 5));
      }),
      { numRuns: 2000 },
    );
  });

  it("is read as text, whether it is a plain number or kept digits (A-70)", () => {
    expect(findNumberText(1500.5)).to.equal("1500.5");
    expect(findNumberText(keepNumber("999999999999999.99"))).to.equal("999999999999999.99");
  });

  it("is not recognised in an object that imitates its internal form, nor in other values", () => {
    for (const value of [{ exactNumber: "999999999999999.99" }, "12", null, undefined, [], true])
      expect(findNumberText(value)).to.equal(undefined);
  });
});
