import { type CurrencyCode, parseCurrencyCode } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { believingTypes } from "./believing-types.ts";
import { atCoreOf, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

const CZK = parseCurrencyCode("CZK");
const EUR = parseCurrencyCode("EUR");

const exchanged = (currency: CurrencyCode | undefined) =>
  new Map([
    [CZK, EUR],
    [EUR, CZK],
  ]).get(currency ?? EUR) ?? currency;

/** A right bank that keeps its accounts in euros, and other amounts in crowns. */
function inEuros(): Bank {
  const bank = memoryBank();
  const changed = <T extends { readonly currency: CurrencyCode }>(money: T): T => ({
    ...money,
    currency: exchanged(money.currency),
  });
  return {
    ...bank,
    accountsOf: async (psu) => (await bank.accountsOf(psu)).map(changed),
    balancesOf: async ({ currency, ...of }) => {
      const told = await bank.balancesOf({ ...of, currency: currency && exchanged(currency) });
      return told.map(({ amount, creditLine, ...balance }) => ({
        ...balance,
        amount: changed(amount),
        creditLine: creditLine && { ...creditLine, amount: changed(creditLine.amount) },
      }));
    },
    listTransactions: async ({ currency, ...of }) => {
      const { entries, totalCount } = await bank.listTransactions({ ...of, currency: exchanged(currency) });
      const amount = { currency: currency ?? EUR };
      return {
        entries: entries.map((entry) => ({ ...entry, amount: { ...entry.amount, ...amount } })),
        totalCount,
      };
    },
  };
}

describe("the test kit on accounts in euros (contract, clause 7.5)", () => {
  it("keeps the type of an order whose payee it replaces by another at the same bank", async () => {
    const results = await atCoreOf(believingTypes(inEuros()), (url) => resultsOf(url));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });
});
