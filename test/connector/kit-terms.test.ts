import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

describe("the test kit on the terms of a bank (contract, clause 6.1)", () => {
  it("explains a wrong answer once, and refers to it in the other checks that need it", async () => {
    const bank = { ...memoryBank(), terms: async () => ({ ...SANDBOX_TERMS, maxDaysAhead: 99_999 }) };
    const results = await atCoreOf(bank, (url) => resultsOf(url));
    const [first, ...others] = results.filter(({ outcome }) => outcome === "failed");
    expect(first?.seen).to.match(/^answer_malformed: maxDaysAhead /);
    expect(others).to.have.length.above(10);
    for (const { seen } of others) expect(seen).to.equal(`the same answer as in ${first?.clause}`);
  });

  it("reports 'not shown' for the charges of a bank that executes no type of payment", async () => {
    const priorities = { domestic: [], sepa: [], "inside-eea": [], "outside-eea": [] };
    const bank = { ...memoryBank(), terms: async () => ({ ...SANDBOX_TERMS, priorities }) };
    const ofCharges = checksFor("6.2").filter(({ title }) => title.startsWith("A charge of each type"));
    const [result] = await atCoreOf(bank, (url) => resultsOf(url, ofCharges));
    expect(result?.outcome).to.equal("not shown");
  });
});
