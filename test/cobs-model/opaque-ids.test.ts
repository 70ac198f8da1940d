import {
  ContentRefusal,
  parseAccountId,
  parseApplicationId,
  parseCurrencyCode,
  parsePsuId,
} from "@cobs/cobs-model";
import { expect } from "chai";

const PARSERS = [
  ["account", parseAccountId, "ID_NOT_FOUND"],
  ["PSU", parsePsuId, "FIELD_INVALID"],
  ["application", parseApplicationId, "FIELD_INVALID"],
] as const;

describe("an identifier", () => {
  for (const [noun, parse, code] of PARSERS) {
    it(`of an ${noun} is 1 to 64 url-safe characters`, () => {
      expect(parse("a3f5c0d2e1b49876")).to.equal("a3f5c0d2e1b49876");
      expect(parse("_-".repeat(32))).to.have.lengthOf(64);
    });

    for (const value of ["", "a b", "a/b", "..", "a\u0000", "a\n", "ž", "a".repeat(65), 7, null, ["a"]]) {
      it(`of an ${noun} is not ${JSON.stringify(value)}: ${code}`, () => {
        expect(() => parse(value)).to.throw(ContentRefusal, code);
      });
    }
  }
});

describe("a currency", () => {
  it("is three capital letters (ISO 4217)", () => {
    expect(parseCurrencyCode("CZK")).to.equal("CZK");
    for (const value of ["czk", "CZ", "CZKK", "CZK\n", 203]) {
      expect(() => parseCurrencyCode(value))
        .to.throw(ContentRefusal, "FIELD_INVALID")
        .with.nested.property(
          "faults[0].message",
          "currency must be a currency code of three capital letters",
        );
    }
  });
});
