import { type AccountId, parseAccountId } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { KIT_CHECKS } from "../../packages/resource/src/core-kit/run-kit.ts";
import { atCoreOf, resultsOf } from "./kit-at-core.ts";
import { ANNA, BORIS, BORIS_IBAN, memoryBank } from "./memory-bank.ts";

const CHECK = KIT_CHECKS.filter(({ title }) => title.startsWith("No transaction of another PSU's account"));
const FEE = { additionalTransactionInformation: "Account fee" };
const WHOLE = { page: 0, size: 100 };

type Listing = Awaited<ReturnType<Bank["listTransactions"]>>;

/** A right bank that tells in one account of Anna's some of the newest of another account too, each where it belongs. */
function mixing(told: string, { of, some }: { of: AccountId; some: (page: Listing) => Listing["entries"] }) {
  const bank = memoryBank();
  const listTransactions: Bank["listTransactions"] = async (request) => {
    if (request.account !== told) return bank.listTransactions(request);
    const psu = of === "b1" ? BORIS : ANNA;
    const others = some(await bank.listTransactions({ ...request, psu, account: of, page: WHOLE }));
    const own = await bank.listTransactions({ ...request, page: WHOLE });
    const all = [...own.entries, ...others];
    const entries = all.toSorted(
      (one, other) =>
        Number(other.status === "PDNG") - Number(one.status === "PDNG") ||
        other.valueDate.localeCompare(one.valueDate),
    );
    const { page, size } = request.page;
    return { entries: entries.slice(page * size, (page + 1) * size), totalCount: all.length };
  };
  return { ...bank, listTransactions };
}

/** A bank whose transactions with details name the account by its number, as payee. */
function naming(bank: Bank, identification: string): Bank {
  const details = { relatedParties: { creditorAccount: { identification: { other: { identification } } } } };
  const listTransactions: Bank["listTransactions"] = async (request) => {
    const page = await bank.listTransactions(request);
    return { ...page, entries: page.entries.map((entry) => (entry.details ? { ...entry, details } : entry)) };
  };
  return { ...bank, listTransactions };
}

const judge = async (bank: Bank) => {
  const [result] = await atCoreOf(bank, (url) => resultsOf(url, CHECK));
  return result;
};

describe("the test kit on transactions of another PSU's account (contract, clause 5.1)", () => {
  const b1 = parseAccountId("b1");

  it("passes a core system that lists each in its own account alone", async () => {
    expect(await judge(memoryBank())).to.include({
      outcome: "passed",
      seen: "3 transactions of 1 account of the other PSU are listed only there",
    });
  });

  for (const [what, told, count] of [
    ["all of them in the first account", "a1", 3],
    ["one of them in the second", "a2", 1],
  ] as const)
    it(`fails a core system that lists ${what}`, async () => {
      const result = await judge(mixing(told, { of: b1, some: ({ entries }) => entries.slice(0, count) }));
      expect(result?.outcome).to.equal("failed");
      expect(result?.seen).to.match(
        new RegExp(
          `^transactions\\[\\d+\\] of account ${told} is also listed for account b1, which the PSU does not have, at GET /psus/anna/accounts/${told}/transactions`,
        ),
      );
    });

  for (const [what, details] of [
    ["one reference", null],
    ["one reference and one text, since each account may number its entries anew", FEE],
  ] as const)
    it(`accepts a charge that is booked to both accounts under ${what}`, async () => {
      const charging = ({ entries }: Listing) => entries.map((entry) => ({ ...entry, details }));
      const bank = mixing("a2", { of: b1, some: charging });
      const listTransactions: Bank["listTransactions"] = async (request) => {
        const page = await bank.listTransactions(request);
        const charges = charging(page).slice(0, 1);
        return request.account === b1 ? { ...page, entries: [...charges, ...page.entries.slice(1)] } : page;
      };
      expect(await judge({ ...bank, listTransactions })).to.include({ outcome: "passed" });
    });

  for (const number of ["19-2000000034", "19-2000000034/9900", "000019-2000000034", String(BORIS_IBAN)])
    it(`fails a core system whose misplaced transactions name their account as ${number}`, async () => {
      const result = await judge(naming(mixing("a2", { of: b1, some: ({ entries }) => entries }), number));
      expect(result?.outcome).to.equal("failed");
    });

  for (const number of ["19-2000000034/0800", "9-2000000034", "19-20000000340", "2000000034"])
    it(`reports 'not shown' if those of the other PSU name ${number}, another account`, async () => {
      expect(await judge(naming(memoryBank(), number))).to.include({ outcome: "not shown" });
    });

  it("reports 'not shown' if the other PSU has none that names the account", async () => {
    const bank = memoryBank();
    const listTransactions: Bank["listTransactions"] = async (request) => {
      const page = await bank.listTransactions(request);
      const entries = page.entries.map((entry) => ({ ...entry, details: FEE }));
      return request.account === b1 ? { ...page, entries } : page;
    };
    expect(await judge({ ...bank, listTransactions })).to.include({
      outcome: "not shown",
      seen: "needs transactions of boris whose details name the account, by its IBAN or its number",
    });
  });
});
