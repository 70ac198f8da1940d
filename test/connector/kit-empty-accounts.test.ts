import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { ANNA, memoryBank } from "./memory-bank.ts";

const EXECUTED = checksFor("7.1", "7.2", "7.3", "7.4", "7.5", "7.8");

/** A right bank with so many minor units on these accounts of Anna, in every currency. */
function withFunds(minor: bigint, ...empty: readonly string[]): Bank {
  const bank = memoryBank();
  return {
    ...bank,
    balancesOf: async (of) => {
      const told = await bank.balancesOf(of);
      if (!empty.includes(of.account)) return told;
      return told.map((balance) => ({ ...balance, amount: { ...balance.amount, minor }, creditLine: null }));
    },
    hasFunds: async (question) => {
      const told = await bank.hasFunds(question);
      if (!told.known || !empty.includes(told.account)) return told;
      return { ...told, enough: question.amount.minor <= minor };
    },
    acceptOrder: async (order) => {
      const account = (await bank.accountsOf(ANNA)).find(({ id }) => id === order.account);
      const isOwn = account !== undefined && account.iban === order.order.debtorAccount.iban;
      if (isOwn && empty.includes(account.id) && order.order.amount.minor > minor)
        return { outcome: "rejected", reason: "funds_insufficient" };
      return bank.acceptOrder(order);
    },
  };
}

const judge = (bank: Bank, checks = EXECUTED) => atCoreOf(bank, (url) => resultsOf(url, checks));

describe("the test kit on accounts without money (contract, clauses 6.3 and 7)", () => {
  it("pays from an account with money if one without is listed first", async () => {
    const results = await judge(withFunds(99n, "a1"));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("says so if no account has enough", async () => {
    const results = await judge(withFunds(99n, "a1", "a2"));
    expect(results.filter(({ outcome }) => outcome !== "not shown")).to.deep.equal([]);
    for (const { seen } of results)
      expect(seen).to.match(
        /^no account can pay a small order to \S+: its CLAV is less than the order and its charge, another account with the same IBAN pays$/,
      );
  });

  it("asks for their funds all the same", async () => {
    const results = await judge(withFunds(0n, "a1", "a2", "a2-eur"), checksFor("6.3"));
    expect(results.map(({ outcome }) => outcome)).to.deep.equal([
      "passed",
      "not shown",
      "passed",
      "passed",
      "passed",
    ]);
  });
});
