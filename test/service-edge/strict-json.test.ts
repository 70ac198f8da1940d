import { parseStrictJson } from "@cobs/service-edge";
import { expect } from "chai";
import fc from "fast-check";

interface Kept {
  readonly kept: string;
}

const keep = (kept: string): Kept => ({ kept });

describe("JSON that is read without losing a digit", () => {
  const changed: readonly string[] = [
    "999999999999999.99",
    "9007199254740993",
    "0.10000000000000000555",
    "-12345678901234567890",
    "1e400",
    "1e-400",
    "123456789012345678e2",
  ];
  for (const literal of changed)
    it(`keeps the text of ${literal} (RFC 8259 section 6, COBS A-70)`, () => {
      const read = parseStrictJson(`{"a":[${literal},"${literal}"]}`, keep);
      expect(read).to.deep.equal({ a: [{ kept: literal }, literal] });
    });

  const held: readonly string[] = [
    "0",
    "-0",
    "1500.50",
    "0.01",
    "1.50e3",
    "100000000000000000000",
    "1E-2",
    "5e-324",
  ];
  for (const literal of held)
    it(`gives ${literal} as the number that it is`, () => {
      expect(parseStrictJson(`[ ${literal} ]`, keep)).to.deep.equal([Number(literal)]);
    });

  it("gives the nearest number where nobody asks for the text", () => {
    expect(parseStrictJson("[999999999999999.99]")).to.deep.equal([1e15]);
  });

  it("keeps a number that is the whole body, and as many as there are", () => {
    expect(parseStrictJson("1e999", keep)).to.deep.equal({ kept: "1e999" });
    expect(parseStrictJson("[1e999,2,3e999]", keep)).to.deep.equal([{ kept: "1e999" }, 2, { kept: "3e999" }]);
  });

  it("changes no decimal of an amount, of whatever length", () => {
    const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
    const withoutZeros = (decimal: string) =>
      (decimal.includes(".") ? decimal : `${decimal}.`).replace(/\.?0*$/, "");
    fc.assert(
      fc.property(digits(20), digits(6), (whole, fraction) => {
        const literal = `${BigInt(whole)}.${fraction}`;
        const read = String(parseStrictJson(literal, (kept) => kept));
        expect(withoutZeros(read)).to.equal(withoutZeros(literal));
      }),
    );
  });

  it("refuses what is no number, also beside one that is kept", () => {
    for (const text of ["[1e999,01]", "[1e999,+1]", "[1e999,.5]", "[1e999,1.]", "[1e999,NaN]", "[1e999"])
      expect(() => parseStrictJson(text, keep), text).to.throw("the body is not acceptable JSON");
  });
});
