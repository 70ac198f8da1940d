import { inPermittedCharacters, maskedInPermittedCharacters } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { hasPermittedCharacters } from "../../packages/cobs-model/src/text.ts";

describe("another party's reference in permitted characters (COBS 3.1.1, EPC217-08)", () => {
  const WRITTEN: Readonly<Record<string, string>> = {
    "INV-2024/001": "INV-2024/001",
    INV_2024: "INV.2024",
    "A&B#7": "A.B.7",
    "Žluťoučký kůň": "Zlutoucky kun",
    "Z\u030cid": "Zid",
    "Weiß & Þór": "Weis . Tor",
    "№5 💰\ud83d": ".5 ..",
    "a\u0000b\u202ec": "a.b.c",
    "Заказ 7": "..... 7",
    "/2024/7/": ".2024/7.",
    "a//b": "a/.b",
    "////": "./..",
    "//": "..",
    "/": ".",
    "": "",
  };
  for (const [written, told] of Object.entries(WRITTEN))
    it(`is ${JSON.stringify(told)} if it was written ${JSON.stringify(written)}`, () => {
      expect(inPermittedCharacters(written)).to.equal(told);
    });

  it("has only permitted characters, and never more than the original", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (written) => {
        const told = inPermittedCharacters(written);
        expect(hasPermittedCharacters(told)).to.equal(true);
        expect(told.length).to.be.at.most([...written].length);
      }),
    );
  });

  it("keeps the asterisks of a masked number", () => {
    expect(maskedInPermittedCharacters("5168_44**•1234")).to.equal("5168.44**.1234");
  });

  it("masks an unmasked card number except for its last four digits (COBS 3.1.5.1)", () => {
    expect(maskedInPermittedCharacters("5168441234567890")).to.equal("xxxxxxxxxxxx7890");
    expect(maskedInPermittedCharacters("5168 4412 3456 7890")).to.equal("xxxx xxxx xxxx 7890");
    expect(maskedInPermittedCharacters("4000123456789")).to.equal("xxxxxxxxx6789");
    for (const kept of ["400012345678", "xxxxxxxxxxxx7890", "516844******7890", "****", ""])
      expect(maskedInPermittedCharacters(kept)).to.equal(kept);
  });
});
