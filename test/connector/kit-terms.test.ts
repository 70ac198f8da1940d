import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { atCoreOf, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

describe("the test kit on the terms of a bank (contract, clause 6.1)", () => {
  it("explains a wrong answer once, and fails the others that need it by the same answer", async () => {
    const bank = { ...memoryBank(), terms: async () => ({ ...SANDBOX_TERMS, maxDaysAhead: 99_999 }) };
    const results = await atCoreOf(bank, (url) => resultsOf(url));
    const [first, ...others] = results.filter(({ outcome }) => outcome === "failed");
    expect(first?.seen).to.match(/^answer_malformed: maxDaysAhead /);
    expect(others).to.have.length.above(10);
    for (const { seen } of others) expect(seen).to.equal(`the same answer as at ${first?.clause}`);
  });
});
