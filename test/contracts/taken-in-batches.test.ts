import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, openDatabase, Secret, type Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_AUTH } from "../../packages/auth/src/migrations-directory.ts";
import { createWaitingNotices } from "../../packages/auth/src/notices/waiting-notices-postgres.ts";
import { admitAttempt } from "../../packages/auth/src/psu/sandbox/sign-in-failures-postgres.ts";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import { forgetRecords } from "../../packages/auth/src/records/forget-records-postgres.ts";
import { createBalanceCheckStore } from "../../packages/resource/src/balance-check/balance-check-store-postgres.ts";
import { takeDue } from "../../packages/resource/src/payments/execute-payment-postgres.ts";
import { forgetOld } from "../../packages/resource/src/payments/forget-payments-postgres.ts";
import { takeLookUps } from "../../packages/resource/src/payments/sign-payment-postgres.ts";
import { countAccessesIn } from "../../packages/resource/src/unattended/access-counts-postgres.ts";
import { by } from "../resource/payments/sample-payments.ts";
import { readableLog } from "../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../support/test-databases.ts";

type Act = (database: Database) => Promise<unknown>;

interface Plan {
  readonly "Node Type": string;
  readonly "Parent Relationship"?: string;
  readonly Plans?: readonly Plan[];
}

type Often = "once" | "at each row";

/** Also within what is computed once, what is joined is looked for again. */
const OFTEN: Readonly<Partial<Record<string, Often>>> = { InitPlan: "once", Inner: "at each row" };

/** How often some are looked for: once where it is computed before the rest. */
function limitsOf(plan: Plan, often: Often = "at each row"): readonly Often[] {
  const here = OFTEN[plan["Parent Relationship"] ?? ""] ?? often;
  if (plan["Node Type"] === "Limit") return [here];
  return (plan.Plans ?? []).flatMap((part) => limitsOf(part, here));
}

const TERMS = { leaseMilliseconds: 1_000, limit: 10 };
const OF_AUTH: Readonly<Record<string, Act>> = {
  "what has expired": (database) => cleanExpired(database),
  "records of long ago": (database) => forgetRecords(database, 1),
  "failed sign-ins of long ago": (database) => admitAttempt(database, { bucket: 1, now: new Date() }),
  notices: (database) => createWaitingNotices(database).take(new Date(), 10),
};
const OF_RESOURCE: Readonly<Record<string, Act>> = {
  "payments for the bank": (database) => takeDue(database, { step: "hand_over", terms: TERMS }),
  "instant payments for the bank": (database) =>
    takeDue(database, { step: "any of an instant one", terms: TERMS }),
  "payments whose approval is looked up": (database) => takeLookUps(database, TERMS, by(1)),
  "payments of long ago": (database) =>
    forgetOld(database, { finishedMilliseconds: 1, keysMilliseconds: 1, limit: 10 }),
  "balance checks": (database) => createBalanceCheckStore(database).forgetOld(10, 1),
  accesses: (database) => countAccessesIn(database).forgetOld(10),
};

// A plan is kept until the table is analysed again, and at night most of these are empty. Looked for at each row instead of
// once, so many would be taken again each time: all of them, in a time that grows with their square.
describe("Rows taken in batches", () => {
  for (const [service, migrations, acts] of [
    ["auth", MIGRATIONS_OF_AUTH, OF_AUTH],
    ["resource", MIGRATIONS_DIRECTORY, OF_RESOURCE],
  ] as const)
    describe(`from the database of ${service}`, () => {
      let database: Database;
      before(async () => {
        database = openDatabase({
          url: new Secret(await createMigratedTestDatabase(migrations)),
          // A plan is kept by a connection.
          maxConnections: 1,
          applicationName: "contract",
          log: readableLog().log,
          timeLimits: PATIENT,
        });
        await database.pool.query("ANALYZE");
      });
      after(() => database.close());

      async function batchesOf(act: Act): Promise<readonly Statement[]> {
        const noted: Statement[] = [];
        const run: Database["run"] = async (statement) => {
          noted.push(statement);
          return [];
        };
        await act({ ...database, run });
        return noted.filter(({ text }) => text.includes("LIMIT"));
      }

      for (const [what, act] of Object.entries(acts))
        it(`are looked for once, with a plan from when there were none: ${what}`, async () => {
          const batches = await batchesOf(act);
          expect(batches).not.to.deep.equal([]);
          for (const { name, text, values } of batches) {
            const { rows } = await database.pool.query<{ "QUERY PLAN": readonly [{ Plan: Plan }] }>(
              `EXPLAIN (FORMAT JSON) ${text}`,
              [...values],
            );
            const limits = rows.flatMap((row) => limitsOf(row["QUERY PLAN"][0].Plan));
            expect([...new Set(limits)], name).to.deep.equal(["once"]);
          }
        });

      if (service === "auth")
        it("are no more than asked for, with such a plan", async () => {
          await cleanExpired(database);
          await database.pool.query(`INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
            SELECT 'AccessToken', sha256(n::text::bytea), 'grant', '{}', now() FROM generate_series(1, 600) AS n`);
          await cleanExpired(database);
          const { rowCount } = await database.pool.query("SELECT FROM token");
          expect(rowCount).to.equal(100);
        });
    });
});
