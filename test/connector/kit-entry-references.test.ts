import { daysBefore, parseAccountId, type StoredTransaction } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { approvedBytes } from "../../packages/resource/src/core-kit/kit-order.ts";
import { atCoreOf, checksFor, clausesOf, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

const A1 = parseAccountId("a1");

const CLAUSES = ["7.1", "7.2", "7.3", "7.8"];

const judge = (bank: Bank, ...clauses: readonly string[]) =>
  atCoreOf(bank, (url) => resultsOf(url, checksFor(...clauses)));

/** A right bank that has no references of the orders that it executes, and is changed further. */
function withoutReferences(
  change: (bank: Bank) => Partial<Bank> = () => ({}),
  book = (entry: StoredTransaction) => entry,
): Bank {
  const bank = memoryBank();
  return {
    ...bank,
    progressOf: async (paymentId) => {
      const progress = await bank.progressOf(paymentId);
      return progress.state === "completed" ? { ...progress, entryReference: undefined } : progress;
    },
    listTransactions: async (request) => {
      const { entries, totalCount } = await bank.listTransactions(request);
      const told = entries.map((entry) =>
        entry.entryReference?.startsWith("T-") ? entry : book({ ...entry, entryReference: null }),
      );
      return { entries: told, totalCount };
    },
    ...change(bank),
  };
}

/** Core systems without references that are wrong, and the clause that shows it. */
const WRONG: readonly (readonly [string, string, () => Bank])[] = [
  [
    "charges twice for an order, under another id the second time",
    "7.1",
    () =>
      withoutReferences(({ acceptOrder }) => ({
        acceptOrder: async (order) => {
          const paymentId = `${order.paymentId.slice(0, 31)}${order.paymentId.endsWith("0") ? "1" : "0"}`;
          await acceptOrder({ ...order, paymentId, ...approvedBytes({ ...order, paymentId }) });
          return acceptOrder(order);
        },
      })),
  ],
  [
    "books it as an incoming payment",
    "7.1",
    () => withoutReferences(undefined, (entry) => ({ ...entry, direction: "CRDT" })),
  ],
  [
    "books another amount",
    "7.1",
    () =>
      withoutReferences(undefined, (entry) => ({
        ...entry,
        amount: { ...entry.amount, minor: entry.amount.minor * 2n },
      })),
  ],
  [
    "gives it a value day in the past",
    "7.8",
    () => withoutReferences(undefined, (entry) => ({ ...entry, valueDate: daysBefore(entry.valueDate, 1) })),
  ],
  [
    "lists it on another account of the PSU too",
    "7.1",
    () => {
      const bank = withoutReferences();
      return {
        ...bank,
        listTransactions: (request) =>
          bank.listTransactions({ ...request, account: request.account === "a2" ? A1 : request.account }),
      };
    },
  ],
];

describe("the test kit on orders without an entryReference (contract, clause 7.7)", () => {
  it("passes a core system that gives none", async () => {
    const results = await judge(withoutReferences(), ...CLAUSES);
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("passes a core system that gives none for an order, but lists the transaction under one", async () => {
    const bank = withoutReferences(({ listTransactions }) => ({ listTransactions }));
    const results = await judge(bank, ...CLAUSES);
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  for (const [what, clause, bank] of WRONG)
    it(`fails a core system that ${what} at clause ${clause}`, async () => {
      expect(clausesOf(await judge(bank(), clause), "failed")).to.include(clause);
    });
});
