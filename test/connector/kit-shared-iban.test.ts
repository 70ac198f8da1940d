import { parseAccountId } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import {
  FUNDS_OF_ONE_IBAN,
  PAYERS_OF_ONE_IBAN,
} from "../../packages/resource/src/core-kit/shared-iban-checks.ts";
import { atCoreOf, resultsOf } from "./kit-at-core.ts";
import { firstOf, memoryBank } from "./memory-bank.ts";

/** Both have one IBAN. */
const [MAIN, EURO] = [parseAccountId("a2"), parseAccountId("a2-eur")];
const UNKNOWN = { code: "AC02", path: undefined, message: "no such account" } as const;

/** How each of the two checks of accounts with one IBAN ends at a bank that differs so from a right one. */
async function judge(change: (bank: Bank) => Partial<Bank> = () => ({})) {
  const bank = memoryBank();
  const checks = [PAYERS_OF_ONE_IBAN, FUNDS_OF_ONE_IBAN];
  const results = await atCoreOf({ ...bank, ...change(bank) }, (url) => resultsOf(url, checks));
  return { outcomes: results.map(({ outcome }) => outcome), seen: results.map(({ seen }) => seen) };
}

describe("the test kit on accounts that share an IBAN (contract, clauses 6.2 and 6.3)", () => {
  it("passes a core system where each account pays and is answered for when named alone", async () => {
    const { outcomes, seen } = await judge();
    expect(outcomes).to.deep.equal(["passed", "passed"]);
    expect(seen).to.deep.equal([
      "2 accounts, each asked about alone",
      "2 of 2 accounts agree with their own CLAV",
    ]);
  });

  it("passes a core system where only the main account of an IBAN pays and is answered for", async () => {
    const { outcomes, seen } = await judge((bank) => ({
      inspectOrder: async (wanted) =>
        wanted.accounts?.includes(EURO)
          ? { account: undefined, fee: undefined, faults: [UNKNOWN] }
          : bank.inspectOrder(wanted),
      hasFunds: async (question) =>
        question.accounts.includes(EURO) ? { known: false, fault: UNKNOWN } : bank.hasFunds(question),
    }));
    expect(outcomes).to.deep.equal(["passed", "passed"]);
    expect(seen[1]).to.equal("1 of 2 accounts agree with their own CLAV");
  });

  it("fails a core system that takes permission for one of them as permission for all (6.2)", async () => {
    const { outcomes, seen } = await judge((bank) => ({
      inspectOrder: (wanted) =>
        bank.inspectOrder({
          ...wanted,
          accounts: wanted.accounts?.includes(EURO) ? [...wanted.accounts, MAIN] : wanted.accounts,
        }),
    }));
    expect(outcomes).to.deep.equal(["failed", "passed"]);
    expect(seen[0]).to.match(
      /^answer_malformed: accountId is not one of accountIds \(clause 6\.2\), at POST /,
    );
  });

  it("fails a core system that does so with funds (6.3)", async () => {
    const { outcomes, seen } = await judge((bank) => ({
      hasFunds: (question) =>
        bank.hasFunds({
          ...question,
          accounts: question.accounts.includes(EURO) ? [...question.accounts, MAIN] : question.accounts,
        }),
    }));
    expect(outcomes).to.deep.equal(["passed", "failed"]);
    expect(seen[1]).to.match(
      /^answer_malformed: accountId is not one of accountIds \(clause 6\.3\), at POST /,
    );
  });

  for (const [which, answering, complaint] of [
    ["the richer one", [MAIN], /^more than the CLAV of a2-eur is said to be available, at POST /],
    ["the poorer one", [EURO], /^the amount of the CLAV of a2 is said not to be available, at POST /],
  ] as const)
    it(`fails a core system that answers with the funds of ${which}, whichever was asked about (6.3)`, async () => {
      const { outcomes, seen } = await judge((bank) => ({
        hasFunds: async (question) => {
          const told = await bank.hasFunds({ ...question, accounts: answering });
          return told.known ? { ...told, account: firstOf(question) } : told;
        },
      }));
      expect(outcomes).to.deep.equal(["passed", "failed"]);
      expect(seen[1]).to.match(complaint);
    });

  it("reports 'not shown' if no two accounts share an IBAN", async () => {
    const { outcomes, seen } = await judge((bank) => ({
      accountsOf: async (psu) => (await bank.accountsOf(psu)).filter(({ id }) => id !== EURO),
    }));
    expect(outcomes).to.deep.equal(["not shown", "not shown"]);
    expect(new Set(seen)).to.deep.equal(new Set(["no two accounts of the PSU have the same IBAN"]));
  });

  it("reports 'not shown' for funds if none of them is answered for", async () => {
    const { outcomes } = await judge(() => ({ hasFunds: async () => ({ known: false, fault: UNKNOWN }) }));
    expect(outcomes).to.deep.equal(["passed", "not shown"]);
  });
});
