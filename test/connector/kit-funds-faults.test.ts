import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { firstOf, memoryBank } from "./memory-bank.ts";

/** A right bank that has the funds where it should have something against the question. */
function passingOver(code: string): Bank {
  const bank = memoryBank();
  return {
    ...bank,
    hasFunds: async (question) => {
      const told = await bank.hasFunds(question);
      const isPassedOver = !told.known && told.fault.code === code;
      return isPassedOver ? { known: true, account: firstOf(question), enough: true } : told;
    },
  };
}

describe("the test kit on faults of a question for funds (contract, clause 6.3)", () => {
  for (const [code, wrong, told] of [
    ["AC09", "has funds in a currency that the account is not kept in", "CZK in an account in SEK"],
    ["AM11", "has funds in any currency", "XTS in an account in its own currency"],
  ] as const)
    it(`fails a core system that ${wrong}`, async () => {
      const results = await atCoreOf(passingOver(code), (url) => resultsOf(url, checksFor("6.3")));
      const [failed, ...others] = results.filter(({ outcome }) => outcome !== "passed");
      expect(others).to.deep.equal([]);
      expect(failed?.outcome).to.equal("failed");
      expect(failed?.seen).to.match(
        new RegExp(`^a question for funds of ${told} does not get ${code}, at POST /funds-checks`),
      );
    });
});
