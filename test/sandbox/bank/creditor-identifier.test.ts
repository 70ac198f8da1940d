import { expect } from "chai";
import { makeCreditorIdentifier } from "../../../packages/sandbox/src/bank/creditor-identifier.ts";
import { makeDemoBank } from "../../../packages/sandbox/src/bank/demo-bank.ts";
import { makeTemplates } from "../../../packages/sandbox/src/seed/transaction-templates.ts";

/** ISO 7064: without the business code, and read from behind the check digits, it leaves 1. */
function passesChecksum(identifier: string): boolean {
  const [, country = "", check = "", national = ""] = /^([A-Z]{2})(\d\d)ZZZ(\d+)$/.exec(identifier) ?? [];
  const letters = [...country].map((letter) => Number.parseInt(letter, 36)).join("");
  return national !== "" && BigInt(`${national}${letters}${check}`) % 97n === 1n;
}

const toldIn = (text: string) => text.match(/(?<=RCUR, )\w+/g) ?? [];

describe("Identifiers of SEPA creditors (EPC262-08)", () => {
  it("match the examples of the German and the Austrian central bank", () => {
    expect(makeCreditorIdentifier("DE", "09999999999")).to.equal("DE98ZZZ09999999999");
    expect(makeCreditorIdentifier("AT", "01234567890")).to.equal("AT61ZZZ01234567890");
  });

  it("pass their checksum wherever the demo bank and npm run seed show one", () => {
    const { content } = makeDemoBank({ seed: "test", asOf: new Date("2026-03-04T09:30:00Z") });
    const booked = content.bookings.flatMap(({ details }) => toldIn(JSON.stringify(details)));
    const seeded = makeTemplates("test", "EUR").flatMap(({ pieces }) => toldIn(pieces.join("")));
    for (const told of [booked, seeded]) {
      expect(told).not.to.deep.equal([]);
      expect(told.filter((each) => !passesChecksum(each))).to.deep.equal([]);
    }
  });
});
