import { expect } from "chai";
import { readOrderToExecute } from "../../../packages/sandbox/src/core-system/read-core-order.ts";
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

describe("an order to the core system of the sandbox", () => {
  for (const executionDate of ["2026-02-30", "2026-13-01", "26-01-01", null])
    it(`is refused for a day that there is not: ${executionDate}`, () => {
      expect(() => readOrderToExecute("payment-1", { ...ORDER, executionDate })).to.throw(
        MalformedQuestion,
        "executionDate",
      );
    });
});
