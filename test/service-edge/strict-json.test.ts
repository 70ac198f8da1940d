import { parseStrictJson } from "@cobs/service-edge";
import { expect } from "chai";
import fc from "fast-check";
import { processorTime } from "../support/processor-time.ts";

interface Kept {
  readonly kept: string;
}

/** In milliseconds, of a body of the largest size; with a square of its digits it would be seconds. */
const LONGEST_READING = 500;
/** Where most of them are in one exponent, which is no slower than a text; with their square it would be twice this. */
const LONGEST_EXPONENT_READING = 15;

const keep = (kept: string): Kept => ({ kept });

describe("Strict JSON", () => {
  const names = fc.string({ unit: fc.constantFrom('"', "\\", ":", "{", ",", "a", "é", "\u2028", "7", "-") });
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      names,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;

  it("is read exactly as written, whatever its texts and names contain", () => {
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        for (const kept of [undefined, keep])
          expect(JSON.stringify(parseStrictJson(text, kept))).to.equal(JSON.stringify(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("is refused when a name comes twice in one object, in whatever spelling or place", () => {
    fc.assert(
      fc.property(names, values, values, fc.boolean(), (name, one, other, isEscaped) => {
        const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");
        const escaped = `"${name
          .split("")
          .map((unit) => `\\u${hex(unit)}`)
          .join("")}"`;
        const again = isEscaped ? escaped : JSON.stringify(name);
        const text = `[{"b":{${JSON.stringify(name)}:${JSON.stringify(one)} , ${again} :${JSON.stringify(other)}}}]`;
        for (const kept of [undefined, keep])
          expect(() => parseStrictJson(text, kept), text).to.throw("a member name is repeated");
      }),
      { numRuns: 1000 },
    );
  });

  it("is refused when a member is named __proto__, when nested too deep, and when more follows", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    for (const kept of [undefined, keep]) {
      expect(() => parseStrictJson('{"a":{"__proto__":1}}', kept)).to.throw("__proto__");
      expect(() => parseStrictJson('{"\\u005f_proto__":1}', kept)).to.throw("__proto__");
      expect(parseStrictJson('["__proto__"]', kept)).to.deep.equal(["__proto__"]);
      expect(JSON.stringify(parseStrictJson(nested(32), kept))).to.equal(nested(32));
      for (const levels of [33, 30_000])
        expect(() => parseStrictJson(nested(levels), kept)).to.throw("nested deeper than 32 levels");
      for (const text of ["{} {}", "[1,]", "{/**/}", "", " ", '{"a":1,}', "[1] //"])
        expect(() => parseStrictJson(text, kept), text).to.throw("the body is not acceptable JSON");
    }
  });
});

describe("Refusal of JSON", () => {
  const FAULTS: readonly (readonly [text: string, where: string, what: string])[] = [
    ["", "line 1, column 1", "a value is missing"],
    ['{"a":1,\r\n"b":}', "line 2, column 5", "a value is missing"],
    ["[1,]", "line 1, column 4", "a value is missing"],
    ["{", "line 1, column 2", "the end of an object, }, is missing"],
    ['{"a":[1', "line 1, column 8", "the end of an array, ], is missing"],
    ['{"a":1,}', "line 1, column 8", "a member name in double quotation marks is missing"],
    ['{"a" 1}', "line 1, column 6", "a colon is missing"],
    ['{"a":1 "b":2}', "line 1, column 8", "a comma, or the end of the object or array, is missing"],
    ["[01]", "line 1, column 3", "a comma, or the end of the object or array, is missing"],
    ["{} {}", "line 1, column 4", "something follows the value"],
    ["{'a':1}", "line 1, column 2", "there is something that is not JSON"],
    ['{"a":NaN}', "line 1, column 6", "there is something that is not JSON"],
    ["[1] // one", "line 1, column 5", "there is a comment, which JSON does not have"],
    ["[1.]", "line 1, column 2", "a number is incomplete"],
    ['{"a":"Hana\nNová"}', "line 1, column 6", "a string has no closing quotation mark on its line"],
    ['["\t"]', "line 1, column 2", "a string has a control character, which must be escaped"],
    ['["\\u12"]', "line 1, column 2", "a string has a Unicode escape without four hexadecimal digits"],
    ['["\\x"]', "line 1, column 2", "a string has an escape that JSON does not have"],
    ['{"a":1,\n "a":2}', "line 2, column 2", "a member name is repeated"],
    ['{"__proto__":1}', "line 1, column 2", "the member name __proto__ is not allowed"],
    ["[".repeat(40), "line 1, column 33", "it is nested deeper than 32 levels"],
  ];
  for (const [text, where, what] of FAULTS)
    it(`says where and why: ${JSON.stringify(text)}`, () => {
      for (const kept of [undefined, keep])
        expect(() => parseStrictJson(text, kept)).to.throw(
          `the body is not acceptable JSON: at ${where}, ${what}`,
        );
    });
});

describe("Parser of JSON that loses no digit", () => {
  const changed: readonly string[] = [
    "999999999999999.99",
    "9007199254740993",
    "0.10000000000000000555",
    "-12345678901234567890",
    "1e400",
    "1E400",
    "1e-400",
    "123456789012345678e2",
    "1e9007199254740993",
    "1.5e-9007199254740993",
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
    "1e-0",
    "1e0000000000000000000000002",
    "5e-324",
  ];
  for (const literal of held)
    it(`gives ${literal} as a number`, () => {
      expect(parseStrictJson(`[ ${literal} ]`, keep)).to.deep.equal([Number(literal)]);
    });

  it("gives the nearest number when the text is not asked for", () => {
    expect(parseStrictJson("[999999999999999.99]")).to.deep.equal([1e15]);
  });

  it("keeps a number that is the whole body, and several in one body", () => {
    expect(parseStrictJson("1e999", keep)).to.deep.equal({ kept: "1e999" });
    expect(parseStrictJson("[1e999,2,3e999]", keep)).to.deep.equal([{ kept: "1e999" }, 2, { kept: "3e999" }]);
  });

  it("changes no decimal of an amount, however long it is", () => {
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

  for (const literal of [`1${"0".repeat(65_000)}1`, `1.${"0".repeat(65_000)}1`, `1${"0".repeat(65_000)}`])
    it(`reads ${literal.length} digits in linear time: ${literal.slice(0, 4)}…`, async () => {
      const read = async () => parseStrictJson(`{"x":${literal}}`, keep);
      expect(await processorTime(read, LONGEST_READING)).to.be.below(LONGEST_READING);
    });

  for (const literal of [`1e${"9".repeat(65_000)}`, `1e-${"9".repeat(65_000)}`])
    it(`keeps an exponent of 65000 digits in linear time: ${literal.slice(0, 4)}…`, async () => {
      expect(parseStrictJson(literal, keep)).to.deep.equal({ kept: literal });
      const read = async () => parseStrictJson(`{"x":${literal}}`, keep);
      expect(await processorTime(read, LONGEST_EXPONENT_READING)).to.be.below(LONGEST_EXPONENT_READING);
    });

  it("refuses malformed numbers, even beside one that is kept", () => {
    for (const text of ["[1e999,01]", "[1e999,+1]", "[1e999,.5]", "[1e999,1.]", "[1e999,NaN]", "[1e999"])
      expect(() => parseStrictJson(text, keep), text).to.throw("the body is not acceptable JSON");
  });
});
