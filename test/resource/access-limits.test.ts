import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { limitOf, parseAccessLimits } from "../../packages/resource/src/unattended/access-limits.ts";

describe("the limits of accesses by agreement with single TPPs (RTS Article 36(5)(b))", () => {
  it("are those of the TPPs that are named; everybody else has the limit of everybody", () => {
    const ofTpps = parseAccessLimits("PSDCZ-CNB-99000011=24; PSDDE-BAFIN-1234=96;PSDSK-NBS-1=1;");
    const limits = { ofEverybody: 4, ofTpps };
    const limitsOf = ["PSDCZ-CNB-99000011", "PSDDE-BAFIN-1234", "PSDSK-NBS-1", "PSDCZ-CNB-99000012"];
    expect(limitsOf.map((tpp) => limitOf(limits, parseOrganisationIdentifier(tpp)))).to.deep.equal([
      24, 96, 1, 4,
    ]);
  });

  const FAULTY = {
    "a TPP without a number": "PSDCZ-CNB-99000011",
    "no number": "PSDCZ-CNB-99000011=many",
    "none at all": "PSDCZ-CNB-99000011=0",
    "more than fit into a day": "PSDCZ-CNB-99000011=97",
    "less than none": "PSDCZ-CNB-99000011=-4",
    "two numbers": "PSDCZ-CNB-99000011=4=5",
    "what is no organisation identifier": "Acme=24",
    "a TPP twice": "PSDCZ-CNB-99000011=24;PSDCZ-CNB-99000011=25",
  };
  for (const [what, text] of Object.entries(FAULTY)) {
    it(`are refused at the start with ${what}`, () => {
      expect(() => parseAccessLimits(text)).to.throw(Error, /PSDCZ-CNB-99000011|Acme/);
    });
  }
});
