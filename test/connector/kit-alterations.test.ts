import { parseCurrencyCode } from "@cobs/cobs-model";
import type { Bank, OrderToExecute } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

/** What the PSU has approved; the kit makes bytes that are none at all too. */
function approvedIn({ orderText }: OrderToExecute): Readonly<Record<string, string>> {
  return Object(JSON.parse(orderText));
}

/** A bank that takes the currency of an order for the one that was approved, whatever it is. */
function takingAnyCurrency(): Bank {
  const bank = memoryBank();
  return {
    ...bank,
    acceptOrder: async (sent) => {
      const currency = parseCurrencyCode(approvedIn(sent).currency);
      const amount = { ...sent.order.amount, currency };
      return bank.acceptOrder({ ...sent, order: { ...sent.order, amount } });
    },
  };
}

/** A bank that lets any account of the PSU pay. */
function takingAnyPayer(): Bank {
  const bank = memoryBank();
  return {
    ...bank,
    acceptOrder: async (sent) => {
      const own = await bank.accountsOf(sent.psu);
      const { debtorAccount } = sent.order;
      const named = own.find(({ id, iban }) => id === sent.account && iban === debtorAccount.iban);
      const approved = own.find(({ iban }) => iban === approvedIn(sent).debtorIban);
      if (named === undefined || approved === undefined) return bank.acceptOrder(sent);
      const order = { ...sent.order, debtorAccount: { ...debtorAccount, iban: approved.iban } };
      return bank.acceptOrder({ ...sent, order, account: approved.id });
    },
  };
}

const judge = (bank: Bank) => atCoreOf(bank, (url) => resultsOf(url, checksFor("7.5")));

describe("the test kit on orders that differ from the approved ones (contract, clause 7.5)", () => {
  it("alters each thing that was approved", async () => {
    const [result] = await judge(memoryBank());
    expect(result?.outcome).to.equal("passed");
    expect(result?.seen).to.equal("9 alterations");
  });

  for (const [what, bank] of [
    ["another currency", takingAnyCurrency()],
    ["another payer", takingAnyPayer()],
  ] as const)
    it(`fails a core system that accepts an order with ${what}`, async () => {
      const [result] = await judge(bank);
      expect(result?.outcome).to.equal("failed");
      expect(result?.seen).to.include(`an order, after it was sent with ${what}, is accepted, not rejected`);
    });
});
