import { expect } from "chai";
import { readSeedOrder } from "../../../packages/sandbox/src/seed/seed-order.ts";
import { SeedRefusal } from "../../../packages/sandbox/src/seed/seed-refusal.ts";

const WHO = { psu: "jana", seed: "1" };

describe("Order of a seed", () => {
  for (const [transactions, accounts, largest] of [
    ["20", "20", 1],
    ["21", "20", 2],
    ["1000", "905", 96],
    ["1000", "20", 100],
    ["1000", "1", 1_000],
  ] as const)
    it(`gives the largest of ${accounts} accounts with ${transactions} transactions ${largest} by default`, () => {
      expect(readSeedOrder({ ...WHO, transactions, accounts })).to.include({ largest });
    });

  it("is refused with more accounts than transactions, because every account needs one", () => {
    const reading = () => readSeedOrder({ ...WHO, transactions: "3", accounts: "5" });
    expect(reading).to.throw(SeedRefusal, "every account needs at least one transaction");
  });
});
