import { parseCurrencyCode, parseTransactionCode, type StoredTransaction } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { atCoreOf, checksFor, clausesOf, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

/** A charge for a payment. */
const OF_FEE = parseTransactionCode("40000101000");
const CZK = parseCurrencyCode("CZK");
/** As much as the kit pays, so that one can be taken for the other. */
const FEE = 100n;
/** Another amount than any of the kit. */
const MORE = 300n;
/** Of no payment, and of no charge. */
const OF_SERVICE = parseTransactionCode("90000701000");

const judge = (bank: Bank, ...clauses: readonly string[]) =>
  atCoreOf(bank, (url) => resultsOf(url, checksFor(...clauses)));

/** A right bank that charges for payments, and charges otherwise than was approved where that is wanted. */
function charging(
  charge = (approved: bigint) => approved,
  tell = (entries: readonly StoredTransaction[]) => entries,
  fee = FEE,
): Bank {
  const bank = memoryBank();
  const charged = new Map<string, bigint>();
  const sum = () => [...charged.values()].reduce((all, each) => all + each, 0n);
  return {
    ...bank,
    inspectOrder: async (wanted) => {
      const told = await bank.inspectOrder(wanted);
      const { currency } = wanted.order.amount;
      return told.account === undefined ? told : { ...told, fee: { minor: fee, currency } };
    },
    acceptOrder: async (order) => {
      const outcome = await bank.acceptOrder(order);
      const { state } = await bank.progressOf(order.paymentId);
      if (state === "completed" && order.account === "a1")
        charged.set(order.paymentId, charge(order.fee?.minor ?? 0n));
      return outcome;
    },
    balancesOf: async (request) => {
      const told = await bank.balancesOf(request);
      if (request.account !== "a1") return told;
      return told.map((balance) =>
        balance.amount.currency === CZK
          ? { ...balance, amount: { ...balance.amount, minor: balance.amount.minor - sum() } }
          : balance,
      );
    },
    listTransactions: async (request) => {
      if (request.account !== "a1") return bank.listTransactions(request);
      const whole = { page: 0, size: 100 };
      const all = tell((await bank.listTransactions({ ...request, page: whole })).entries);
      const { page, size } = request.page;
      return { entries: all.slice(page * size, (page + 1) * size), totalCount: all.length };
    },
  };
}

/** A charge beside each payment, under its reference. */
const besideEach =
  (code: StoredTransaction["code"] = OF_FEE, minor = FEE) =>
  (entries: readonly StoredTransaction[]): readonly StoredTransaction[] =>
    entries.flatMap((entry) => {
      const amount = { ...entry.amount, minor };
      return entry.entryReference?.startsWith("T-") ? [entry] : [entry, { ...entry, code, amount }];
    });

const EXECUTED = ["6.2", "6.3", "7.1", "7.2", "7.3", "7.4", "7.5", "7.8"];

describe("the test kit on charges (contract, clause 7.9)", () => {
  it("passes a core system that charges what was approved, together with the payment or separately", async () => {
    for (const bank of [
      charging(),
      charging(undefined, besideEach()),
      charging(undefined, besideEach(OF_FEE, MORE), MORE),
    ]) {
      const results = await judge(bank, ...EXECUTED);
      expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
    }
  });

  for (const [what, charge] of [
    ["nothing", () => 0n],
    ["twice", (approved: bigint) => approved * 2n],
  ] as const)
    it(`fails a core system that charges ${what} instead of what was approved at clause 7.1`, async () => {
      const [result] = await judge(charging(charge), "7.1");
      expect(result?.outcome).to.equal("failed");
      expect(result?.seen).to.match(/^CLAV of account a1 fell by [13]\.00 CZK, not by 2\.00/);
    });

  it("fails a core system that lists the charge with a code of something else at clause 7.1", async () => {
    const underOwnReference = (entries: readonly StoredTransaction[]) =>
      besideEach(
        OF_SERVICE,
        MORE,
      )(entries).map((entry) =>
        entry.amount.minor === MORE
          ? { ...entry, entryReference: `F-${entry.entryReference?.slice(2)}` }
          : entry,
      );
    const [result] = await judge(charging(undefined, underOwnReference, MORE), "7.1");
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.equal(
      "the charge 3.00 of account a1 is listed with a code that is not that of a charge (clause 7.9)",
    );
  });

  it("fails a core system that accepts another charge than the approved one at clause 7.5", async () => {
    const bank = charging();
    const lenient: Bank = {
      ...bank,
      acceptOrder: async (order) => {
        const outcome = await bank.acceptOrder(order);
        const isOther = outcome.outcome === "rejected" && order.fee !== undefined && order.fee.minor !== FEE;
        return isOther ? { outcome: "accepted" } : outcome;
      },
    };
    expect(clausesOf(await judge(lenient, "7.5"), "failed")).to.deep.equal(["7.5"]);
  });
});
