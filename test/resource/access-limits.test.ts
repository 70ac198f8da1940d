import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { limitOf, parseAccessLimits } from "../../packages/resource/src/unattended/access-limits.ts";

describe("the limits of accesses agreed with single TPPs (RTS Article 36(5)(b))", () => {
  it("apply to the named TPPs; every other TPP has the general limit", () => {
    const ofTpps = parseAccessLimits("PSDCZ-CNB-99000011=24; PSDDE-BAFIN-1234=96;PSDSK-NBS-1=1;");
    const limits = { ofEverybody: 4, ofTpps };
    const limitsOf = ["PSDCZ-CNB-99000011", "PSDDE-BAFIN-1234", "PSDSK-NBS-1", "PSDCZ-CNB-99000012"];
    expect(limitsOf.map((tpp) => limitOf(limits, parseOrganisationIdentifier(tpp)))).to.deep.equal([
      24, 96, 1, 4,
    ]);
  });

  const FAULTY = {
    "a TPP without a limit": "PSDCZ-CNB-99000011",
    "a limit that is no number": "PSDCZ-CNB-99000011=many",
    "a limit of zero": "PSDCZ-CNB-99000011=0",
    "a limit above what fits into a day": "PSDCZ-CNB-99000011=97",
    "a negative limit": "PSDCZ-CNB-99000011=-4",
    "two limits for one TPP": "PSDCZ-CNB-99000011=4=5",
    "an invalid organisation identifier": "Acme=24",
    "a TPP twice": "PSDCZ-CNB-99000011=24;PSDCZ-CNB-99000011=25",
  };
  for (const [what, text] of Object.entries(FAULTY)) {
    it(`are refused at startup when the setting has ${what}`, () => {
      expect(() => parseAccessLimits(text)).to.throw(Error, /PSDCZ-CNB-99000011|Acme/);
    });
  }
});
