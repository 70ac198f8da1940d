import { ContentRefusal, familyOf, isDirectDebit, parseTransactionCode } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import type { TransactionFamily } from "../../packages/cobs-model/src/transaction-code.ts";
import { TRANSACTION_CODES } from "../support/transaction-codes.ts";

/** The codes of the standard by what they begin with, how many there are, and the column that they follow. */
const GROUPS: readonly (readonly [string, number, TransactionFamily])[] = [
  ["100001", 7, "domestic"],
  ["100002", 2, "foreign"],
  ["100003", 1, "plain"],
  ["100004", 3, "sepa"],
  ["100005", 4, "sepa"],
  ["2", 9, "plain"],
  ["3", 7, "plain"],
  ["4", 22, "fee"],
  ["5", 14, "sepa"],
  ["9", 7, "plain"],
];

const codes = Object.keys(TRANSACTION_CODES);

describe("the codes of transactions (COBS 4.3)", () => {
  it("number 76, each with eleven digits and a meaning", () => {
    expect(codes).to.have.lengthOf(76);
    for (const code of codes) expect(code).to.match(/^\d{11}$/);
    for (const meaning of Object.values(TRANSACTION_CODES)) expect(meaning).to.match(/^[A-Z].+/);
    expect(new Set(Object.values(TRANSACTION_CODES)).size).to.be.at.least(74);
  });

  for (const [lead, count, family] of GROUPS) {
    it(`number ${count} beginning with ${lead}, all of the family ${family}`, () => {
      const group = codes.filter((code) => code.startsWith(lead));
      expect(group).to.have.lengthOf(count);
      expect(new Set(group.map((code) => familyOf(parseTransactionCode(code))))).to.deep.equal(
        new Set([family]),
      );
    });
  }

  it("for direct debits are those of SEPA DD and its R-transactions", () => {
    const debits = codes.filter((code) => isDirectDebit(parseTransactionCode(code)));
    expect(debits).to.deep.equal(codes.filter((code) => /^(?:100005|500002)/.test(code)));
    expect(debits).to.have.lengthOf(18);
  });

  it("may have details missing from the list, since each bank has its own (4.3)", () => {
    expect(familyOf(parseTransactionCode("10000101042"))).to.equal("domestic");
    expect(familyOf(parseTransactionCode("10000299123"))).to.equal("foreign");
    expect(familyOf(parseTransactionCode("70000101000"))).to.equal("plain");
  });

  for (const code of [
    "1000010100",
    "100001010000",
    "1000010100a",
    " 10000101000",
    "١0000101000",
    "",
    10000101000,
    null,
  ]) {
    it(`cannot be ${JSON.stringify(code)}`, () => {
      expect(() => parseTransactionCode(code)).to.throw(ContentRefusal, "FIELD_INVALID");
    });
  }

  it("always belong to one of five families", () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 11 });
    fc.assert(
      fc.property(digits, (each) => {
        const family = familyOf(parseTransactionCode(each.join("")));
        expect(family).to.be.oneOf(["plain", "fee", "domestic", "sepa", "foreign"]);
      }),
    );
  });
});
