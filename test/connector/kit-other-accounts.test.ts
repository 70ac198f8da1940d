import {
  type Account,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
} from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { ANNA, memoryBank } from "./memory-bank.ts";

const CZK = parseCurrencyCode("CZK");
const EUR = parseCurrencyCode("EUR");

const EMPTY = parseAccountId("a2");
const NUMBERS = ["7770001239", "2000000026", "2000000042"];

/** Whether a balance sinks by a unit with each order. */
type IsCharged = (account: string, currency: string) => boolean;

/** A right bank where Anna has so many more accounts, in which nothing is booked; each order may take a unit from somewhere. */
function withMoreAccounts(isCharged: IsCharged): Bank {
  const bank = memoryBank();
  let orders = 0n;
  const ids = NUMBERS.map((_number, place) => parseAccountId(`more-${place}`));
  const accountsOf: Bank["accountsOf"] = async (psu) => {
    const accounts = await bank.accountsOf(psu);
    const more = NUMBERS.flatMap((text, place): readonly Account[] => {
      const number = parseCzechAccountNumber(text);
      const id = ids[place];
      return accounts[0] && id ? [{ ...accounts[0], id, iban: makeCzechIban("9900", number), number }] : [];
    });
    return psu === ANNA ? [...accounts, ...more] : accounts;
  };
  const inside = <T extends { readonly account: Account["id"] }>(of: T): T =>
    ids.includes(of.account) ? { ...of, account: EMPTY } : of;
  return {
    ...bank,
    accountsOf,
    listTransactions: (of) => bank.listTransactions(inside(of)),
    balancesOf: async (of) =>
      (await bank.balancesOf(inside(of))).map((balance) => {
        const { minor, currency } = balance.amount;
        const less = isCharged(of.account, currency) ? orders * 100n : 0n;
        return { ...balance, amount: { minor: minor - less, currency } };
      }),
    acceptOrder: async (order) => {
      const { state } = await bank.progressOf(order.paymentId);
      if (state === "unknown") orders += 1n;
      return bank.acceptOrder(order);
    },
  };
}

const judge = async (isCharged: IsCharged) => {
  const [result] = await atCoreOf(withMoreAccounts(isCharged), (url) => resultsOf(url, checksFor("7.1")));
  return result;
};

describe("the test kit on accounts that an order does not concern (contract, clause 7.9)", () => {
  it("passes a core system that leaves them unchanged", async () => {
    expect(await judge(() => false)).to.include({ outcome: "passed" });
  });

  for (const [what, account, currency] of [
    ["the last account of the PSU", "more-2", CZK],
    ["another currency of the account that pays", "a1", EUR],
    ["another currency of another account", "more-0", EUR],
    ["another currency of the payee's account", "b1", EUR],
  ] as const)
    it(`fails a core system that charges ${what} too`, async () => {
      const result = await judge((id, kept) => id === account && kept === currency);
      expect(result?.outcome).to.equal("failed");
      expect(result?.seen).to.equal(`CLAV of account ${account} fell by 1.00 ${currency}, not by 0.00`);
    });
});
