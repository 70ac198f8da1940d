import { expect } from "chai";
import { isClearingMember } from "../../../packages/cobs-model/src/payment/clearing-systems.ts";

/** Table: the fewest and the most digits of a member (ISO 20022 ExternalClearingSystemIdentification1Code). */
const DIGITS: Readonly<Record<string, readonly [fewest: number, most: number]>> = {
  ATBLZ: [5, 5],
  AUBSB: [6, 6],
  CACPA: [9, 9],
  CHBCC: [3, 5],
  CHSIC: [6, 6],
  CNAPS: [12, 12],
  DEBLZ: [8, 8],
  ESNCC: [8, 9],
  GBDSC: [6, 6],
  GRBIC: [7, 7],
  HKNCC: [3, 3],
  IENCC: [6, 6],
  ITNCC: [10, 10],
  NZNCC: [6, 6],
  PLKNR: [8, 8],
  PTNCC: [8, 8],
  RUCBC: [9, 9],
  USABA: [9, 9],
  USPID: [4, 4],
  ZANCC: [6, 6],
};

const isMember = (code: unknown, memberIdentification: unknown) =>
  isClearingMember({ clearingSystemIdentification: { code }, memberIdentification });

describe("the code of a bank in a clearing system (ISO 20022, RC10)", () => {
  for (const [code, [fewest, most]] of Object.entries(DIGITS))
    it(`has ${fewest === most ? most : `${fewest} to ${most}`} digits in ${code}`, () => {
      for (let count = fewest; count <= most; count += 1)
        expect(isMember(code, "1".repeat(count))).to.equal(true);
      const right = "1".repeat(fewest);
      for (const wrong of [
        right.slice(1),
        "1".repeat(most + 1),
        `${right.slice(1)}A`,
        `-${right}`,
        `${right}-`,
      ])
        expect(isMember(code, wrong), wrong).to.equal(false);
    });

  it("has four letters, a zero and six letters or digits in INFSC", () => {
    for (const right of ["SBIN0001234", "HDFC0ABC123"]) expect(isMember("INFSC", right)).to.equal(true);
    for (const wrong of [
      "SBI0001234",
      "SBINN0001234",
      "SBIN1001234",
      "SBIN000123",
      "SBIN00012345",
      "sbin0001234",
      "SBIN0abc123",
      "ASBIN0001234",
    ])
      expect(isMember("INFSC", wrong), wrong).to.equal(false);
  });

  it("has any form in an unlisted system, whose own code has at most five letters or digits", () => {
    for (const system of ["XXNEW", "A", "12345", ""]) expect(isMember(system, "any")).to.equal(true);
    for (const wrong of ["XXNEWS", "xxnew", "XX-EW", "constructor"])
      expect(isMember(wrong, "any")).to.equal(false);
  });
});
