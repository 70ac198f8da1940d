import { setTimeout as delay } from "node:timers/promises";
import type { Database, Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { Registry } from "prom-client";
import { appendAudit } from "../../packages/auth/src/audit/append-audit-postgres.ts";
import { checkAudit } from "../../packages/auth/src/audit/check-audit-postgres.ts";
import { SEAL_BATCH_ENTRIES, sealBatch } from "../../packages/auth/src/audit/seal-audit-postgres.ts";
import { startSealing } from "../../packages/auth/src/audit/start-sealing.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { append, entryOf, runOn, sealAll } from "./audit-entries.ts";
import { twoProcesses } from "./auth-database.ts";
import { notingDatabase } from "./noting-database.ts";

const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => entryOf(`${name} ${index}`));

describe("Sealer of the audit log", () => {
  let databases: readonly [Database, Database];
  beforeEach(async () => {
    databases = await twoProcesses();
  });
  afterEach(() => Promise.all(databases.map((database) => database.close())));

  const subjects = async () =>
    (
      await runOn<{ subject: string }>(
        databases[0],
        "SELECT subject FROM audit_entry WHERE sequence IS NOT NULL ORDER BY sequence",
      )
    ).map(({ subject }) => subject);

  it("numbers entries from 1 without a gap, in bounded batches", async () => {
    const entries = numbered(SEAL_BATCH_ENTRIES + 1, "entry");
    await append(databases[0], entries);
    expect(await sealBatch(databases[0])).to.equal(SEAL_BATCH_ENTRIES);
    expect(await sealBatch(databases[1])).to.equal(1);
    expect(await sealBatch(databases[0])).to.equal(0);
    expect(await subjects()).to.deep.equal(entries.map(({ subject }) => subject.id));
    expect(await checkAudit(databases[0])).to.deep.include({
      broken: undefined,
      unsealed: { entries: 0, oldestSeconds: undefined },
    });
  });

  it("seals fewer of the largest entries per batch, well within the statement time limit", async () => {
    const texts = Array.from({ length: 96 }, () => "\u20ac".repeat(500));
    const entries = Array.from({ length: 120 }, (_, index) => entryOf(`entry ${index}`, { texts }));
    await append(databases[0], entries);
    expect(await sealBatch(databases[0])).to.equal(111);
    expect(await sealBatch(databases[0])).to.equal(9);
    expect(await subjects()).to.deep.equal(entries.map(({ subject }) => subject.id));
  });

  it("writes nothing when there is nothing to seal", async () => {
    await append(databases[0], numbered(1, "entry"));
    await sealBatch(databases[0]);
    const read = () => runOn(databases[0], "SELECT xmin::text, xmax::text, audit_chain.* FROM audit_chain");
    const before = await read();
    expect(await sealBatch(databases[0])).to.equal(0);
    expect(await read()).to.deep.equal(before);
  });

  it("finds unsealed entries by their own index, also with a plan from when there were very many", async () => {
    await append(databases[0], numbered(4 * SEAL_BATCH_ENTRIES, "entry"));
    for (let sealed = 0; sealed < 2; sealed += 1) await sealBatch(databases[0]);
    await runOn(databases[0], "ANALYZE audit_entry");
    const noted: Statement[] = [];
    const database = notingDatabase(databases[0], noted);
    const log = readableLog();
    const sealing = startSealing({ database, log: log.log, metrics: { registry: new Registry() } });
    await eventually(() => noted.some(({ name }) => name === "audit-chain"));
    await sealing.stop();
    const looks = noted.filter(({ text }) => text.includes("sequence IS NULL"));
    expect(new Set(looks.map(({ name }) => name)).size).to.equal(3);
    for (const { name, text, values } of looks)
      expect(JSON.stringify(await runOn(databases[0], `EXPLAIN ${text}`, values)), name)
        .to.match(/Index (Only )?Scan using audit_entry_unsealed/)
        .and.not.include("Seq Scan on audit_entry");
  });

  it("seals an entry that commits late once, after those that were sealed before", async () => {
    let commit: (() => void) | undefined;
    const late = databases[0].transaction(async (queries) => {
      await appendAudit(queries, [entryOf("late")]);
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await eventually(() => commit !== undefined);
    await append(databases[1], [entryOf("early")]);
    await sealAll(databases[1]);
    commit?.();
    await late;
    await sealAll(databases[1]);
    await sealAll(databases[0]);
    expect(await subjects()).to.deep.equal(["early", "late"]);
    expect((await checkAudit(databases[0])).broken).to.equal(undefined);
  });

  it("seals each entry of fifty parallel writers once, with two sealers and rolled-back writers", async () => {
    let writing = true;
    const seal = async (database: Database) => {
      while (writing) await sealBatch(database);
      await sealAll(database);
    };
    const sealers = databases.map(seal);
    const writers = Array.from({ length: 50 }, async (_, index) => {
      for (const round of [0, 1, 2, 3]) {
        const writing = databases[index % 2]?.transaction(async (queries) => {
          await appendAudit(queries, numbered(3, `${index}-${round}`));
          await delay(Math.random() * 20);
          if (index % 5 === round) throw new Error("undone");
        });
        await writing?.catch(() => {});
      }
    });
    await Promise.all(writers);
    writing = false;
    await Promise.all(sealers);
    await sealAll(databases[0]);
    const sealed = await subjects();
    expect(sealed).to.have.length((200 - 40) * 3);
    expect(new Set(sealed).size).to.equal(sealed.length);
    expect(await checkAudit(databases[0])).to.deep.include({ broken: undefined });
  });

  it("leaves nothing half sealed when killed at any of its statements", async () => {
    for (const killedAt of ["audit-unsealed", "audit-seal", "audit-move-head", "commit"]) {
      await append(databases[0], numbered(5, killedAt));
      const error = await rejectionOf(sealBatch(killedIn(databases, killedAt)));
      expect(String(error), killedAt).to.match(/terminat|not queryable/i);
      expect(await subjects(), killedAt).not.to.include(`${killedAt} 0`);
      expect((await checkAudit(databases[1])).broken, killedAt).to.equal(undefined);
      await sealAll(databases[1]);
      expect(await subjects(), killedAt).to.include(`${killedAt} 4`);
    }
    expect(await checkAudit(databases[1])).to.deep.include({ broken: undefined });
    expect(await subjects()).to.have.length(20);
  });

  it("keeps the order when the database's clock is set back", async () => {
    await append(databases[0], [entryOf("first")]);
    await sealAll(databases[0]);
    // What a default gives is what the clock says: here, yesterday.
    await runOn(
      databases[0],
      "ALTER TABLE audit_entry ALTER COLUMN recorded_at SET DEFAULT clock_timestamp() - interval '1 day'",
    );
    await append(databases[0], [entryOf("second")]);
    await sealAll(databases[0]);
    expect(await subjects()).to.deep.equal(["first", "second"]);
    expect((await checkAudit(databases[0])).broken).to.equal(undefined);
  });

  it("runs every second, logs the head, and measures the oldest unsealed entry's age, also when it cannot seal", async () => {
    const { log, lines } = readableLog();
    const registry = new Registry();
    const unsealedSeconds = async () =>
      (await registry.getSingleMetric("audit_unsealed_seconds")?.get())?.values[0]?.value;
    await append(databases[0], [entryOf("a")]);
    const sealing = startSealing({ database: databases[0], log, metrics: { registry } });
    // Where a series begins with its first event, nobody sees that it has grown.
    expect(await registry.getSingleMetricAsString("audit_sealed_total")).to.include(
      'audit_sealed_total{action="certificate.blocked",actor="operator"} 0',
    );
    const through = async () => (await checkAudit(databases[0])).intactThrough;
    await eventually(async () => (await through()).sequence === 1 && (await unsealedSeconds()) === 0);
    const { hash } = await through();
    await eventually(() => JSON.stringify(lines).includes(hash));
    await databases[1].transaction(async (queries) => {
      await queries.run({ name: "hold", text: "SELECT FROM audit_chain FOR UPDATE", values: [] });
      await append(databases[0], [entryOf("b")]);
      await eventually(async () => ((await unsealedSeconds()) ?? 0) > 0);
    });
    await eventually(async () => (await unsealedSeconds()) === 0);
    await runOn(databases[1], "ALTER TABLE audit_chain RENAME TO out_of_reach");
    await append(databases[0], [entryOf("c")]);
    await eventually(async () => ((await unsealedSeconds()) ?? 0) > 0);
    await runOn(databases[1], "ALTER TABLE out_of_reach RENAME TO audit_chain");
    const failures = await registry.getSingleMetric("audit_seal_failures_total")?.get();
    expect(failures?.values[0]?.value).to.be.greaterThan(0);
    await eventually(async () => (await unsealedSeconds()) === 0);
    await sealing.stop();
  });
});

/** A process whose connection is cut by the server when it comes to a statement of its transaction, or to its end. */
function killedIn([database, other]: readonly [Database, Database], killedAt: string): Database {
  const transaction: Database["transaction"] = (work) =>
    database.transaction(async (queries) => {
      const [own] = await queries.run<{ pid: number }>({
        name: "",
        text: "SELECT pg_backend_pid() AS pid",
        values: [],
      });
      const kill = async () => {
        await runOn(other, "SELECT pg_terminate_backend($1, 5000)", [own?.pid]);
      };
      const result = await work({
        run: async (statement) => {
          if (statement.name === killedAt) await kill();
          return queries.run(statement);
        },
      });
      if (killedAt === "commit") await kill();
      return result;
    });
  return { ...database, transaction };
}
