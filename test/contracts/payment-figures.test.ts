import { expect } from "chai";
import { Registry } from "prom-client";
import { createExecutionMetrics } from "../../packages/resource/src/execution/execution-metrics.ts";
import { countPayments } from "../../packages/resource/src/payments/payment-metrics.ts";
import { by, LIFETIME } from "../resource/payments/sample-payments.ts";
import { eventually } from "../support/eventually.ts";
import { expireOverdue, openPaymentProcesses, type PaymentProcesses } from "./payment-processes.ts";

describe("Figures of payments that have ended", () => {
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  after(() => processes.close());
  afterEach(() => processes.empty());

  /** A store that counts, and how many payments it has counted that ended so. */
  function counting() {
    const registry = new Registry();
    const store = countPayments(processes.one, { registry });
    const endedAs = async (state: string) => {
      const text = await registry.metrics();
      return Number(
        new RegExp(`^payment_duration_seconds_count\\{state="${state}"\\} (\\d+)`, "m").exec(text)?.[1],
      );
    };
    return { store, endedAs };
  }

  it("count one that ended with its request at auth, however that ended", async () => {
    const { store, endedAs } = counting();
    const [expired, cancelled] = [await processes.ask(), await processes.ask()];
    await store.takeExpiry(expired.requestId, by(LIFETIME));
    await store.takeCancellation(cancelled.requestId, by(LIFETIME));
    await eventually(async () => (await endedAs("expired")) === 2);
  });

  it("count each payment that nobody approved in time, once among all processes", async () => {
    const [one, other] = [counting(), counting()];
    await Promise.all(Array.from({ length: 20 }, () => processes.enter()));
    const batches = await Promise.all(
      [one, other].map(({ store }) => expireOverdue(store, 100, by(LIFETIME))),
    );
    expect(batches.flatMap(({ ended }) => ended)).to.have.length(20);
    const sum = async () => (await one.endedAs("expired")) + (await other.endedAs("expired"));
    await eventually(async () => (await sum()) === 20);
  });

  it("count those that nobody approved in time beside one that cannot be ended", async () => {
    const { store, endedAs } = counting();
    const [stuck] = [await processes.enter(), await processes.enter(), await processes.enter()];
    const run = (text: string) => processes.database.run({ name: "", text, values: [] });
    await run(
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$",
    );
    await run(`CREATE TRIGGER stuck BEFORE UPDATE ON payment FOR EACH ROW
      WHEN (OLD.payment_id = '${stuck.terms.id}') EXECUTE FUNCTION refuse()`);
    await Promise.allSettled([expireOverdue(store, 100, by(LIFETIME))]);
    await run("DROP FUNCTION refuse CASCADE");
    await eventually(async () => (await endedAs("expired")) === 2);
  });

  it("count one that ended with its consent", async () => {
    const { store, endedAs } = counting();
    const { terms } = await processes.enter();
    await store.endWaiting(terms, by());
    await eventually(async () => (await endedAs("rejected")) === 1);
  });

  it("count one that the bank has completed or rejected", async () => {
    const { store, endedAs } = counting();
    for (const settlement of [
      { outcome: "completed", entryReference: "E-1" },
      { outcome: "rejected", reason: "AM04" },
    ] as const) {
      const { terms } = await processes.approve();
      const lease = await processes.lease(terms, "hand_over");
      await store.handOver(lease, by(1));
      await store.takeSettlement(lease, settlement, by(2));
      await eventually(async () => (await endedAs(settlement.outcome)) === 1);
    }
  });
});

describe("Figures of payments that wait for the bank", () => {
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  after(() => processes.close());

  it("show their number and the longest wait at one moment, from the first reading on", async () => {
    const registry = new Registry();
    createExecutionMetrics({ registry }, processes.database);
    const read = async () => {
      const text = await registry.metrics();
      const figure = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]);
      return [figure("outbox_waiting"), figure("outbox_oldest_age_seconds") > 0];
    };
    expect(await read()).to.deep.equal([0, false]);
    await processes.approve();
    expect(await read()).to.deep.equal([1, true]);
    await processes.empty();
    expect(await read()).to.deep.equal([0, false]);
  });
});
