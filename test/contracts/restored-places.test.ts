import type { Database, Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { startRestoringPlaces } from "../../packages/resource/src/execution/start-restoring-places.ts";
import type { PaymentTerms } from "../../packages/resource/src/payments/payment.ts";
import { createPaymentStore } from "../../packages/resource/src/payments/payment-store-postgres.ts";
import { by } from "../resource/payments/sample-payments.ts";
import { notingDatabase } from "./noting-database.ts";
import { openPaymentProcesses, type PaymentProcesses } from "./payment-processes.ts";

describe("Approved payments that have lost their place in the queue to the bank", function restoredPlaces() {
  this.timeout(60_000);
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  after(() => processes.close());
  beforeEach(() => processes.empty());

  async function losePlace(): Promise<PaymentTerms["id"]> {
    const { terms } = await processes.approve();
    const text = "DELETE FROM payment_outbox WHERE payment_id = $1";
    await processes.database.run({ name: "lose-place", text, values: [terms.id] });
    await processes.tamper(terms, "moved_at = moved_at + interval '1 minute'");
    return terms.id;
  }

  /** A place ten years ahead. */
  async function putOff(): Promise<PaymentTerms> {
    const { terms } = await processes.approve();
    const text = "UPDATE payment_outbox SET due_at = now() + interval '10 years' WHERE payment_id = $1";
    await processes.database.run({ name: "put-off", text, values: [terms.id] });
    return terms;
  }

  it("are found behind very many that have theirs, a batch per statement", async () => {
    for (let count = 0; count < 3; count += 1) await processes.approve();
    const lost = await losePlace();
    const first = await processes.one.restorePlaces(2, by(1));
    expect([first.restored, first.failures]).to.deep.equal([[], []]);
    const second = await processes.one.restorePlaces(2, by(1), first.last);
    expect(second.restored).to.deep.equal([lost]);
    const third = await processes.one.restorePlaces(2, by(1), second.last);
    expect(third).to.deep.equal({ restored: [], failures: [], last: undefined });
  });

  it("are looked for in the order of an index of those that have not ended", async () => {
    const noted: Statement[] = [];
    await createPaymentStore(notingDatabase(processes.database, noted)).restorePlaces(2, by(1));
    const [look] = noted;
    const rows = await processes.database.transaction(async (queries) => {
      // As where there are very many of them: to read and to sort all would cost more.
      for (const way of ["seqscan", "bitmapscan", "sort"])
        await queries.run({ name: "", text: `SET LOCAL enable_${way} = off`, values: [] });
      return queries.run<{ "QUERY PLAN": string }>({
        name: "",
        text: `EXPLAIN ${look?.text}`,
        values: look?.values ?? [],
      });
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).to.match(/Presorted Key: payment\w*\.moved_at\n *-> +Index Scan using payment_before_bank/);
  });

  it("get a place again even if payments that a clock postponed cannot be brought forward", async () => {
    await putOff();
    const lost = await losePlace();
    const fault = new Error("canceling statement due to statement timeout");
    const { database } = processes;
    const run: Database["run"] = (statement) =>
      statement.name === "payment-hurry-places" ? Promise.reject(fault) : database.run(statement);
    const store = createPaymentStore({ ...database, run });
    const { restored, failures } = await store.restorePlaces(10, by(1));
    expect([restored, failures]).to.deep.equal([[lost], [fault]]);
  });

  it("are looked for page by page without a minute's pause, then from the front again after the last", async () => {
    const asked: unknown[] = [];
    const last = { movedAt: "2026-01-01", paymentId: (await putOff()).id };
    const pages = [last, undefined];
    const pauses: number[] = [];
    const restorePlaces = async (_limit: number, _by: unknown, after?: unknown) => {
      asked.push(after);
      return { restored: [], failures: [], last: pages[asked.length - 1] };
    };
    const parts = { store: { restorePlaces }, clock: { now: () => new Date() }, log: {}, metrics: {} };
    const countJob = () => (round: (signal: AbortSignal) => Promise<number>) => ({
      stop: async () => {
        for (let count = 0; count < 3; count += 1) pauses.push(await round(new AbortController().signal));
      },
    });
    await startRestoringPlaces({ ...parts, countJob } as never).stop();
    expect(asked).to.deep.equal([undefined, last, undefined]);
    expect(pauses).to.deep.equal([50, 60_000, 60_000]);
  });
});
