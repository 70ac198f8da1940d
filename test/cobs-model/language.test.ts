import { preferredLanguage } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { startComputing } from "../support/stopwatch.ts";

describe("the language of an answer (COBS PDF 1.2.6, RFC 9110 12.5.4)", () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, "cs"],
    ["", "cs"],
    ["en", "en"],
    ["EN-us", "en"],
    ["cs-CZ, en;q=0.9", "cs"],
    ["cs;q=0.4, en;q=0.5", "en"],
    ["en, cs", "en"],
    ["cs, en", "cs"],
    ["de, fr;q=0.9", "cs"],
    ["de, en;q=0.1", "en"],
    ["*", "cs"],
    ["cs;q=0, *", "en"],
    ["cs;q=0", "cs"],
    ["cs;q=0, en;q=0", "cs"],
    ["en;q=0.001, cs;q=0", "en"],
    ["*;q=0.5, en;q=0.4", "cs"],
    ["en;q=2", "cs"],
    ["en;q=0.1234", "cs"],
    ["cs;q=0.5, en;q=1.000", "en"],
    ["cs;q=0.5, en;q=1.0000", "cs"],
    ["en;q=0.1, cs;q=0.5, en;q=0.9", "en"],
    ["1en", "cs"],
    ["english!", "cs"],
    ["en ; q=0.8 , cs;q=0.7", "en"],
  ];
  for (const [header, language] of cases) {
    it(`is ${language} for ${header === undefined ? "no header" : JSON.stringify(header)}`, () => {
      expect(preferredLanguage(header)).to.equal(language);
    });
  }

  it("is found quickly in a header of a million characters, of which only the beginning counts", () => {
    const computed = startComputing();
    expect(preferredLanguage(`${"-a".repeat(500_000)},en`)).to.equal("cs");
    expect(preferredLanguage(",".repeat(1_000_000))).to.equal("cs");
    expect(computed()).to.be.below(500);
  });

  it("is Czech or English, whatever is sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (header) => {
        expect(preferredLanguage(header)).to.be.oneOf(["cs", "en"]);
      }),
    );
  });
});
