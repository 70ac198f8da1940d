import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { KIT_CHECKS } from "../../packages/resource/src/core-kit/run-kit.ts";
import { atCoreOf, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

const CHECK = KIT_CHECKS.filter(({ title }) =>
  title.startsWith("If another sort field follows it, bookingDate"),
);

type Transactions = Bank["listTransactions"];

/** A right bank that orders by instants where it should by days. */
function byInstants(): Bank {
  const bank = memoryBank();
  return {
    ...bank,
    listTransactions: (request) => bank.listTransactions({ ...request, sort: request.sort.slice(0, 1) }),
  };
}

/** Without the second transaction of the only day that has two. */
function withSingleDays({ listTransactions, ...bank }: Bank): Bank {
  const single: Transactions = async (request) => {
    const { page, size } = request.page;
    const whole = await listTransactions({ ...request, page: { page: 0, size: 100 } });
    const entries = whole.entries.filter(({ entryReference }) => entryReference !== "T-023");
    return { entries: entries.slice(page * size, (page + 1) * size), totalCount: entries.length };
  };
  return { ...bank, listTransactions: single };
}

const judge = async (bank: Bank) => {
  const [result] = await atCoreOf(bank, (url) => resultsOf(url, CHECK));
  return result;
};

describe("the test kit on the order of transactions of one day (contract, clause 5.5)", () => {
  it("passes a core system that orders them by day alone", async () => {
    expect(await judge(memoryBank())).to.include({ outcome: "passed", seen: "bookingDate:desc,amount:asc" });
  });

  it("fails a core system that orders them by instant", async () => {
    const result = await judge(byInstants());
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(/^answer_malformed: transactions\[\d+\] is not in the order /);
  });

  it("reports 'not shown' for either if no day has two", async () => {
    for (const bank of [memoryBank(), byInstants()])
      expect(await judge(withSingleDays(bank))).to.include({
        outcome: "not shown",
        seen: "needs a day with two booked transactions, the later one of the larger amount",
      });
  });
});
