import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";
import { onBusinessDay } from "./on-business-day.ts";

/** A right bank without INST, with the cut-off times of the sandbox: 14:00 of HIGH, 20:30 of NORM. */
function withoutInstant() {
  const bank = memoryBank();
  const priorities: string[] = [];
  return {
    ...bank,
    priorities,
    terms: async () => ({
      ...SANDBOX_TERMS,
      priorities: { ...SANDBOX_TERMS.priorities, domestic: ["NORM", "HIGH"] as const },
    }),
    acceptOrder: async (order: Parameters<typeof bank.acceptOrder>[0]) => {
      priorities.push(order.order.priority);
      return bank.acceptOrder(order);
    },
  };
}

describe("the test kit on cut-off times (contract, clauses 6.1 and 7.1)", () => {
  for (const [time, priority] of [
    ["10:00", "HIGH"],
    ["15:00", "NORM"],
  ] as const)
    it(`orders with ${priority} at ${time}, which is then executed soonest`, async () => {
      const bank = withoutInstant();
      const [result] = await onBusinessDay(time, () =>
        atCoreOf(bank, (url) => resultsOf(url, checksFor("7.1"))),
      );
      expect(result?.seen).to.equal("five equal answers, one transaction");
      expect(new Set(bank.priorities)).to.deep.equal(new Set([priority]));
    });

  it("reports 'not shown' after the last of them", async () => {
    const bank = withoutInstant();
    const [result] = await onBusinessDay("21:00", () =>
      atCoreOf(bank, (url) => resultsOf(url, checksFor("7.1"))),
    );
    expect(result?.outcome).to.equal("not shown");
    expect(result?.seen).to.match(/ is not executed before \S+$/);
    expect(bank.priorities).to.deep.equal([]);
  });
});
