import { parseCurrencyCode } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

const XXQ = parseCurrencyCode("XXQ");
const REMARK = "not a currency that the kit knows: XXQ";

/** What the kit says of the form of accounts, balances and terms. */
const judge = async (bank: Bank, clause: string) => {
  const [result] = await atCoreOf(bank, (url) => resultsOf(url, checksFor(clause)));
  return result;
};

describe("the test kit on currencies that ISO 4217 does not have (contract, Currency)", () => {
  const bank = memoryBank();
  const cases: readonly (readonly [string, string, Partial<Bank>])[] = [
    [
      "the main one of an account",
      "2.1",
      {
        accountsOf: async (psu) =>
          (await bank.accountsOf(psu)).map((account) => ({ ...account, currency: XXQ })),
      },
    ],
    [
      "one of a balance",
      "4.1",
      {
        balancesOf: async (request) => {
          const told = await bank.balancesOf(request);
          const others = told.slice(0, 1).map((each) => ({ ...each, creditLine: null }));
          return [...told, ...others.map((each) => ({ ...each, amount: { minor: 1n, currency: XXQ } }))];
        },
      },
    ],
    [
      "one of the terms",
      "6.1",
      { terms: async () => ({ ...SANDBOX_TERMS, currencies: [...SANDBOX_TERMS.currencies, XXQ] }) },
    ],
  ];

  for (const [what, clause, change] of cases)
    it(`remarks on ${what}, without failing it (clause ${clause})`, async () => {
      const result = await judge({ ...bank, ...change }, clause);
      expect(result?.outcome).to.equal("passed");
      expect(result?.seen).to.match(new RegExp(`; ${REMARK}$`));
      expect((await judge(bank, clause))?.seen).not.to.include("not a currency");
    });
});
