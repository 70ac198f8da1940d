import { expect } from "chai";
import {
  readFundsQuestion,
  readOrderToExecute,
  readOrderToInspect,
} from "../../../packages/sandbox/src/core-system/read-core-order.ts";
import { MalformedQuestion } from "../../../packages/sandbox/src/core-system/read-core-query.ts";

const ORDER = {
  digest: "0".repeat(64),
  approvedText: '{"paymentId":"payment-1"}',
  approvalId: "approval-1",
  psuId: "psu-1",
  accountId: "account-1",
  fee: null,
  order: {},
};

describe("Order to the core system of the sandbox", () => {
  for (const executionDate of ["2026-02-30", "2026-13-01", "26-01-01", null])
    it(`is refused for a day that does not exist: ${executionDate}`, () => {
      expect(() => readOrderToExecute("payment-1", { ...ORDER, executionDate })).to.throw(
        MalformedQuestion,
        "executionDate",
      );
    });

  const WRONG: Readonly<Record<string, readonly unknown[]>> = {
    digest: ["0".repeat(63), "0".repeat(65), "A".repeat(64), null],
    approvedText: ["", "text", `{${"a".repeat(16_001)}}`, {}],
    approvalId: ["", "an approval", "a".repeat(65), null],
  };
  for (const [name, values] of Object.entries(WRONG))
    it(`is refused when its ${name} is malformed`, () => {
      for (const value of values)
        expect(() => readOrderToExecute("payment-1", { ...ORDER, [name]: value }), String(value)).to.throw(
          MalformedQuestion,
          `${name} is malformed`,
        );
    });

  it("is refused under a malformed payment id, and read under one of 35 characters", () => {
    for (const id of ["", "a b", "a".repeat(36), undefined])
      expect(() => readOrderToExecute(id, ORDER), id).to.throw(MalformedQuestion, "paymentId");
    expect(() => readOrderToExecute("a".repeat(35), ORDER)).to.throw(MalformedQuestion, "executionDate");
  });

  it("is refused for a malformed id in its body, like every body against the contract (6.5)", () => {
    const ORDER_ON_A_DAY = { ...ORDER, executionDate: "2026-01-01" };
    const FUNDS = { psuId: "psu-1", accountIds: ["a1"], iban: "", currency: null, amount: {} };
    const wrong: readonly (readonly [string, () => unknown])[] = [
      ["accountId", () => readOrderToExecute("payment-1", { ...ORDER_ON_A_DAY, accountId: "bad id!" })],
      ["psuId", () => readOrderToExecute("payment-1", { ...ORDER_ON_A_DAY, psuId: null })],
      ["accountId", () => readOrderToInspect({ psuId: "psu-1", accountIds: ["a1", "bad id!"], order: {} })],
      ["psuId", () => readOrderToInspect({ psuId: "", accountIds: null, order: {} })],
      ["psuId", () => readFundsQuestion({ ...FUNDS, psuId: "bad id!" })],
      ["psuId", () => readFundsQuestion({ ...FUNDS, psuId: null })],
      ["accountIds", () => readFundsQuestion({ ...FUNDS, accountIds: null })],
      ["accountIds", () => readFundsQuestion({ ...FUNDS, accountIds: [] })],
      ["accountId", () => readFundsQuestion({ ...FUNDS, accountIds: ["a1", "bad id!"] })],
      ["iban", () => readFundsQuestion({ ...FUNDS, iban: "CZ1" })],
    ];
    for (const [name, read] of wrong) expect(read, name).to.throw(MalformedQuestion, name);
  });
});
