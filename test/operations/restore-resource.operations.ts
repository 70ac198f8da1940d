import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { NamedSigning } from "../../packages/resource/src/payments/overdue-payments.ts";
import type { PaymentTerms } from "../../packages/resource/src/payments/payment.ts";
import type { SigningRequestId } from "../../packages/resource/src/payments/payment-ids.ts";
import { createPaymentStore } from "../../packages/resource/src/payments/payment-store-postgres.ts";
import { expireBatch } from "../../packages/resource/src/signing/expire-payments.ts";
import { takeReport } from "../../packages/resource/src/signing/take-report.ts";
import { openMigratedDatabase } from "../resource/bank/migrated-database.ts";
import { type OrderScene, setOrderScene } from "../resource/bank/orders/order-bank.ts";
import {
  aheadClock,
  approvedPayment,
  approveEntered,
  enteredPayment,
  executeDuePayments,
  executingProcess,
  LONG,
  letPausesPass,
  sandboxOf,
} from "../resource/execution/executing-scene.ts";
import { approvalNamed, requestNamed } from "../resource/payments/sample-payments.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-databases.ts";
import { takeBalanceCheck } from "./taken-balance-check.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const LIMIT_MILLISECONDS = 30_000;

describe("resource after a restore from a backup, with a core system that lost nothing", function restore() {
  this.timeout(300_000);
  const folder = makeTemporaryFolder("cobs-restore-");
  const clock = aheadClock();
  let [core, lost, restored]: Database[] = [];
  let scene: OrderScene;
  let sandbox: ReturnType<typeof sandboxOf>;
  /** Approved before the backup and handed over after it; accepted before it and completed after it; entered after it. */
  let [waiting, accepted, late]: PaymentTerms[] = [];
  /** Entered before the backup, begun and approved after it. */
  let unbegun: Awaited<ReturnType<typeof enteredPayment>>;
  let lastNumber: bigint;
  let rowsOfCopy: unknown;
  let rowsRestored: unknown;

  const opened = (database: Database | undefined): Database => {
    if (database === undefined) throw new TypeError("the database is not there yet");
    return database;
  };
  const ask = <Row>(database: Database | undefined, text: string, values: readonly unknown[] = []) =>
    opened(database).run<Row>({ name: "", text, values });
  const idOf = (payment: PaymentTerms | undefined) => payment?.id ?? "";

  async function stateOf(database: Database | undefined, id: string) {
    const text = "SELECT state FROM payment WHERE payment_id = $1";
    return (await ask<{ state: string }>(database, text, [id]))[0]?.state;
  }

  /** How many rows each table has. */
  async function countRows(database: Database | undefined) {
    const text = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";
    const counted = (await ask<{ name: string }>(database, text)).map(async ({ name }) => {
      const [row] = await ask<{ count: bigint }>(database, `SELECT count(*) FROM ${name}`);
      return [name, row?.count];
    });
    return Promise.all(counted);
  }

  const answerBalanceCheck = (database: Database | undefined) => takeBalanceCheck(opened(database));

  async function bringToTheirEnds(database: Database | undefined, payments: readonly unknown[]) {
    const { parts } = executingProcess(opened(database), { bank: sandbox.bank, clock });
    await eventually(async () => {
      await executeDuePayments(parts);
      await letPausesPass(opened(database));
      const text = "SELECT FROM payment WHERE state = 'completed'";
      return (await ask(database, text)).length === payments.length;
    }, LIMIT_MILLISECONDS);
  }

  before(async () => {
    core = await openMigratedDatabase(await createTestDatabase());
    const url = await createTestDatabase();
    lost = await openMigratedDatabase(url);
    scene = await setOrderScene(core);
    sandbox = sandboxOf(core);
    await sandbox.settling.stop();
    accepted = await approvedPayment(lost, scene);
    await executeDuePayments(executingProcess(lost, { bank: sandbox.bank, clock }).parts);
    waiting = await approvedPayment(lost, scene);
    unbegun = await enteredPayment(lost, scene);
    await ask(
      lost,
      "INSERT INTO unattended_access (consent_id, account_id, resource, began_at, last_began_at) VALUES ('c', 'a', 'balance', ARRAY[now()], now())",
    );

    await answerBalanceCheck(lost);
    rowsOfCopy = await countRows(lost);
    const dump = join(folder, "resource.dump");
    execFileSync(join(BIN, "pg_dump"), ["--format=custom", "--extension=plpgsql", "--file", dump, url]);

    lastNumber = await answerBalanceCheck(lost);
    sandbox = sandboxOf(core);
    late = await approvedPayment(lost, scene);
    await approveEntered(lost, unbegun);
    await bringToTheirEnds(lost, [waiting, accepted, late, unbegun]);

    const restoredUrl = await createTestDatabase();
    const terms = ["--no-owner", "--no-privileges", "--single-transaction", "--dbname", restoredUrl];
    execFileSync(join(BIN, "pg_restore"), [...terms, dump]);
    restored = await openMigratedDatabase(restoredUrl);
    rowsRestored = await countRows(restored);
  });
  after(async () => {
    await sandbox?.settling.stop();
    await Promise.all([core, lost, restored].map((database) => database?.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  it("has every row of the backup, including payments and how far they were", async () => {
    expect(rowsRestored).to.deep.equal(rowsOfCopy);
    expect(await stateOf(restored, idOf(waiting))).to.equal("approved");
    expect(await stateOf(restored, idOf(accepted))).to.equal("accepted");
    expect(await stateOf(restored, unbegun.id)).to.equal("entered");
  });

  it("completes payments that the core system has executed, and has none executed twice", async () => {
    await bringToTheirEnds(restored, [waiting, accepted]);
    for (const payment of [waiting, accepted, late]) {
      const values = [idOf(payment), scene.payer.id];
      const text = "SELECT FROM sandbox_entry WHERE booking_id = $1 AND account_id = $2";
      expect(await ask(core, text, values)).to.have.length(1);
    }
  });

  it("asks auth about payments approved since the backup, and completes instead of rejecting them", async () => {
    const [store, log] = [createPaymentStore(opened(restored)), readableLog().log];
    const requestId = requestNamed(`R-${unbegun.id}`);
    const approval = {
      id: approvalNamed(`A-${unbegun.id}`),
      requestId,
      digest: unbegun.digest,
      methods: ["totp"],
      approvedAt: new Date(unbegun.createdAt.getTime() + 1),
    };
    const report = { state: "approved", approval, requestId, url: "https://auth.example/sign" } as const;
    const { id: paymentId, signId } = unbegun;
    const authority = {
      findKnown: async (named: readonly NamedSigning[]) =>
        named.some((each) => each.paymentId === paymentId && each.signId === signId)
          ? [{ paymentId, signId, requestId }]
          : [],
    };
    clock.advance(LONG);
    await ask(restored, "UPDATE payment SET expires_at = now() WHERE payment_id = $1", [paymentId]);
    const queued: SigningRequestId[] = [];
    const parts = {
      store,
      authority,
      clock,
      log,
      queued: { put: (id: SigningRequestId) => void queued.push(id) },
    };
    await expireBatch(parts, undefined);
    expect(queued).to.deep.equal([requestId]);
    await takeReport({ store, log }, { requestId, report }, { now: clock.now(), requestId: undefined });
    await bringToTheirEnds(restored, [waiting, accepted, unbegun]);
    const text = "SELECT FROM sandbox_entry WHERE booking_id = $1 AND account_id = $2";
    expect(await ask(core, text, [paymentId, scene.payer.id])).to.have.length(1);
  });

  it("never reuses the number of a balance check (COBS 3.3.3)", async () => {
    expect(await answerBalanceCheck(restored)).to.not.equal(lastNumber);
  });

  it("does not know payments entered since the backup, which the core system's orders name", async () => {
    const orders = await ask<{ id: string }>(core, "SELECT payment_id AS id FROM sandbox_order");
    const known = await Promise.all(orders.map(({ id }) => stateOf(restored, id)));
    expect(orders.filter((_, place) => known[place] === undefined)).to.deep.equal([{ id: idOf(late) }]);
  });
});
