import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase, Secret, type Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { MIGRATIONS_DIRECTORY as OF_AUTH } from "../../../packages/auth/src/migrations-directory.ts";
import { cleanExpired } from "../../../packages/auth/src/records/clean-expired-postgres.ts";
import { forgetRecords } from "../../../packages/auth/src/records/forget-records-postgres.ts";
import { createBalanceCheckStore } from "../../../packages/resource/src/balance-check/balance-check-store-postgres.ts";
import { MIGRATIONS_DIRECTORY as OF_RESOURCE } from "../../../packages/resource/src/migrations-directory.ts";
import { forgetOld } from "../../../packages/resource/src/payments/forget-payments-postgres.ts";
import { countAccessesIn } from "../../../packages/resource/src/unattended/access-counts-postgres.ts";
import { RETENTION } from "../../../scripts/operations/retention.ts";
import { notingDatabase } from "../../contracts/noting-database.ts";
import { readableLog } from "../../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../../support/test-databases.ts";

const SERVICES = { auth: OF_AUTH, resource: OF_RESOURCE };
const PAYMENTS = { finishedMilliseconds: 1, keysMilliseconds: 1, limit: 1 };

/** What a job is begun by, and the statements of a round: what it says to an empty database, or where they are in its sources. */
interface Deletion {
  readonly beginsBy: string;
  readonly says: ((database: Database) => Promise<unknown>) | string;
}

const DELETIONS: Readonly<Record<string, Deletion>> = {
  cleaning: { beginsBy: "startCleaning", says: (database) => cleanExpired(database) },
  records_forgetting: { beginsBy: "startForgettingRecords", says: (database) => forgetRecords(database, 1) },
  accesses_forgetting: {
    beginsBy: "countAccessesIn",
    says: (database) => countAccessesIn(database).forgetOld(1),
  },
  balance_checks_forgetting: {
    beginsBy: "createBalanceCheckStore",
    says: (database) => createBalanceCheckStore(database).forgetOld(1, 1),
  },
  payments_forgetting: {
    beginsBy: "startForgettingPayments",
    says: (database) => forgetOld(database, PAYMENTS),
  },
  payment_execution: { beginsBy: "startExecutingPayments", says: "payments/execute-payment-postgres.ts" },
  sandbox_orders: {
    beginsBy: "startSettlingOrders",
    says: "bank/sandbox-orders/settle-orders-postgres.ts",
  },
};
/** The table in which the migrations are kept, and nothing of ours. */
const OF_MIGRATIONS = "schema_migration";
const OF_MIGRATED_ROWS = ["audit_chain", "ephemeral_epoch", "feed_head", "server_key_use"];
const TABLES = `SELECT table_name FROM information_schema.tables
  WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`;

const sourcesOf = (service: string) => join("packages", service, "src");

/** The sources in a folder that contain a text. */
function sourcesWith(folder: string, text: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  return sources.filter((source) => source.includes(text)).join("\n");
}

/** What the owner of a table says to the database; migrations have made the only rows of some. */
function statementOf(table: string): RegExp {
  return new RegExp(OF_MIGRATED_ROWS.includes(table) ? `\\b${table}\\b` : `INSERT INTO ${table}\\b`);
}

for (const [service, directory] of Object.entries(SERVICES))
  describe(`Retention table of ${service}`, () => {
    const rows = RETENTION.filter((row) => row.service === service);
    let database: Database;
    before(async () => {
      const url = new Secret(await createMigratedTestDatabase(directory));
      const { log } = readableLog();
      database = openDatabase({ url, maxConnections: 1, applicationName: "test", log, timeLimits: PATIENT });
    });
    after(() => database.close());

    async function statementsOf({ says }: Deletion): Promise<string> {
      if (typeof says === "string") return readFileSync(join(sourcesOf(service), says), "utf8");
      const noted: Statement[] = [];
      await says(notingDatabase(database, noted));
      return noted.map(({ text }) => text).join("\n");
    }

    it("names every table of the schema, and no other", async () => {
      const { rows: tables } = await database.pool.query<{ table_name: string }>(TABLES);
      const names = tables.map(({ table_name }) => table_name).filter((name) => name !== OF_MIGRATIONS);
      expect(rows.map(({ table }) => table)).to.have.members(names);
    });

    it("names the owner of each, and the job that deletes its rows or its secret", async () => {
      for (const { table, owner, job } of rows) {
        if (!owner.startsWith("("))
          expect(sourcesWith(join(sourcesOf(service), owner), table), `${table}: ${owner}`).to.match(
            statementOf(table),
          );
        if (job === "none") continue;
        const deletion = DELETIONS[job] ?? expect.fail(`${table}: what does ${job} do?`);
        expect(sourcesWith(sourcesOf(service), `("${job}")`), `${table}: ${job}`).to.contain(
          `${deletion.beginsBy}(`,
        );
        expect(await statementsOf(deletion), `${table}: ${job}`).to.match(
          new RegExp(`DELETE FROM ${table}\\b|UPDATE ${table} SET sealed_secret = NULL`),
        );
      }
    });
  });
