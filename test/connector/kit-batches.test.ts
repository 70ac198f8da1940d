import { bankDayOf } from "@cobs/cobs-model";
import type { Bank, OrderToExecute } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { provesApproval } from "../../packages/resource/src/bank/proves-approval.ts";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { KIT_CHECKS, type KitResult, runKit } from "../../packages/resource/src/core-kit/run-kit.ts";
import { atCoreOf, checksFor, openCoreAt, PAYEE } from "./kit-at-core.ts";
import { ANNA, BORIS, memoryBank } from "./memory-bank.ts";
import { onBusinessDay } from "./on-business-day.ts";

/** More than any order here, and less than an order beyond any funds. */
const MUCH = 1_000_000n;

/** A right bank without INST, which executes what it has accepted for today in batches of so many orders. */
function inBatchesOf(size: number) {
  const bank = memoryBank();
  const waiting = new Map<string, OrderToExecute>();
  const run = async () => {
    for (const order of waiting.values()) await bank.acceptOrder(order);
    waiting.clear();
  };
  const batches = { size, taken: new Set<string>(), run };
  const isForBatch = async ({ account, ...order }: OrderToExecute) => {
    const isToday = order.executionDate <= bankDayOf(new Date());
    const pays = (await bank.accountsOf(order.psu)).find(({ id }) => id === account);
    const isOwn = pays?.iban === order.order.debtorAccount.iban;
    return isToday && isOwn && order.order.amount.minor < MUCH && provesApproval({ account, ...order });
  };
  const core: Bank = {
    ...bank,
    terms: async () => ({
      ...SANDBOX_TERMS,
      priorities: { ...SANDBOX_TERMS.priorities, domestic: ["NORM", "HIGH"] },
    }),
    acceptOrder: async (order) => {
      const known = await bank.progressOf(order.paymentId);
      const held = waiting.get(order.paymentId);
      if (held !== undefined)
        return held.digest.equals(order.digest)
          ? { outcome: "accepted" }
          : { outcome: "rejected", reason: "digest_mismatch" };
      if (known.state !== "unknown" || !(await isForBatch(order))) return bank.acceptOrder(order);
      waiting.set(order.paymentId, order);
      batches.taken.add(order.paymentId);
      if (waiting.size >= batches.size) await run();
      return { outcome: "accepted" };
    },
    progressOf: async (paymentId) =>
      waiting.has(paymentId) ? { state: "accepted" } : bank.progressOf(paymentId),
  };
  return { core, batches };
}

const EXECUTED = checksFor("7.1", "7.2", "7.3", "7.4", "7.5", "7.8");

const judge = (bank: Bank, tell: (result: KitResult) => void = () => undefined, checks = EXECUTED) =>
  onBusinessDay("10:00", () =>
    atCoreOf(bank, async (url) => {
      const core = await openCoreAt(url);
      const waits = { settledWithinMilliseconds: 100, laterOrdersMilliseconds: 100 };
      const parts = { core, psu: ANNA, otherPsu: BORIS, payee: PAYEE, ...waits };
      return runKit(parts, checks, tell).finally(() => core.close());
    }),
  );

describe("the test kit on a bank that executes orders in batches (contract, clauses 7.1 and 7.7)", () => {
  it("sends no further order while one may still be executed", async () => {
    const { core, batches } = inBatchesOf(2);
    const results = await judge(core);
    expect(results.filter(({ outcome }) => outcome !== "not shown")).to.deep.equal([]);
    expect(results[0]?.seen).to.match(/^an order of priority HIGH is still accepted/);
    const [first, ...others] = batches.taken;
    expect(others).to.deep.equal([]);
    for (const { seen } of results.slice(1))
      expect(seen).to.equal(`the order ${first} of an earlier check is still accepted, and may be executed`);
  });

  it("sends orders again once that one was executed", async () => {
    const { core, batches } = inBatchesOf(2);
    const [first, ...others] = await judge(core, () => {
      batches.size = 1;
      void batches.run();
    });
    expect(first?.outcome).to.equal("not shown");
    expect(others.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("fails a core system that executes an order for a later day before today's batch at clause 7.8", async () => {
    const { core } = inBatchesOf(2);
    const later = new Set<string>();
    const acceptOrder: Bank["acceptOrder"] = async (order) => {
      if (order.executionDate > bankDayOf(new Date())) later.add(order.paymentId);
      return core.acceptOrder(order);
    };
    const progressOf: Bank["progressOf"] = async (paymentId) =>
      later.has(paymentId) ? { state: "completed", entryReference: paymentId } : core.progressOf(paymentId);
    const onLaterDay = KIT_CHECKS.filter(({ title }) => title.startsWith("An order for a later day"));
    const [result] = await judge({ ...core, acceptOrder, progressOf }, undefined, onLaterDay);
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(/^an order for \S+ is completed today/);
  });
});
