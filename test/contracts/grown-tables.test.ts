import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { type Database, type Statement, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { type ConsentToEnd, endFreeConsents } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { createEphemeralStoreInPostgres } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import { createRateLimitsInPostgres } from "../../packages/auth/src/limits/rate-limit-store-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { createSigningStore } from "../../packages/auth/src/signing/signing-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { createTppStore } from "../../packages/auth/src/tpp/tpp-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { tppAct } from "./test-acts.ts";

const KEY = { kind: "AccessToken", id: "secret" };
const [TPP, PSU] = [parseOrganisationIdentifier("PSDCZ-CNB-1"), parsePsuId("psu")];
const APPLICATION = parseApplicationId("application");
const TO_END: ConsentToEnd = {
  id: createConsentId(),
  ending: { by: "tpp", reason: "refresh_token_revoked", act: tppAct() },
};

type LookUp = readonly [what: string, table: string, act: (database: Database) => Promise<unknown>];

// Full by day and empty by night.
const OF_SHORT_LIVES: readonly LookUp[] = [
  ["a token", "token", (database) => createTokenStore(database).find(KEY)],
  ["a token that is revoked", "token", (database) => createTokenStore(database).findKept(KEY)],
  ["a token that is removed", "token", (database) => createTokenStore(database).remove(KEY, tppAct())],
  ["a token that is used", "token", (database) => createTokenStore(database).redeem(KEY, [])],
  ["a record", "ephemeral_record", (database) => createEphemeralStoreInPostgres(database).find(KEY)],
  [
    "a record of a browser",
    "ephemeral_record",
    (database) => createEphemeralStoreInPostgres(database).findByUid("Session", "uid"),
  ],
  [
    "how many records of a name live",
    "ephemeral_record",
    (database) =>
      createEphemeralStoreInPostgres(database).putAmong(
        KEY,
        {},
        { uid: "uid", lifetimeSeconds: 60, limit: 1 },
      ),
  ],
  [
    "when the first record of a name ends",
    "ephemeral_record",
    (database) => createEphemeralStoreInPostgres(database).waitAmong("Session", "uid"),
  ],
  [
    "a record that is used",
    "ephemeral_record",
    (database) => createEphemeralStoreInPostgres(database).take(KEY),
  ],
];

const OF_LONG_LIVES: readonly LookUp[] = [
  ["a TPP", "tpp", (database) => createTppStore(database, systemClock).find(TPP)],
  [
    "whether a TPP is blocked",
    "stop_list_block_active",
    (database) =>
      createStopList(database).findBlocked({ organisationIdentifier: TPP, thumbprint: undefined }),
  ],
  [
    "whether the TPP of a token is blocked",
    "stop_list_block_active",
    (database) => createTokenStore(database).find(KEY),
  ],
  [
    "whether a PSU is blocked",
    "psu_block",
    (database) => createPsuBlocks(database, systemClock).admits({ psu: PSU, authenticatedAt: new Date(0) }),
  ],
  ["a consent", "consent", (database) => createConsentStore(database).findActive(createConsentId())],
  [
    "a consent that its TPP ends",
    "consent",
    (database) => database.transaction((queries) => endFreeConsents(queries, [TO_END])),
  ],
  [
    "the consent of a PSU",
    "consent",
    (database) => createConsentStore(database).findPresent(APPLICATION, PSU),
  ],
  [
    "an application",
    "application",
    (database) => createApplicationStore(database, async () => {}).findById(APPLICATION),
  ],
  ...(["application", "stop_list_block_active"] as const).map(
    (table): LookUp => [
      `an application that is named, with what the stop list has of its TPP: ${table}`,
      table,
      (database) =>
        createApplicationStore(database, async () => {})
          .findNamed({ organisationIdentifier: TPP, thumbprint: undefined }, APPLICATION)
          .catch(() => undefined),
    ],
  ),
  [
    "which attempts to approve payments are kept",
    "signing_request",
    (database) => createSigningStore(database, 1).findKnown([{ paymentId: "P-1", signId: "S-1" }]),
  ],
  [
    "an application that asks",
    "application",
    (database) => createApplicationStore(database, async () => {}).findAsking(APPLICATION),
  ],
];

// A connection keeps the plan of a statement until the table is analysed again, which under load is a minute later.
describe("Row looked up by its key in a table that grows", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  async function statementOf(act: LookUp[2]): Promise<Statement> {
    const noted: Statement[] = [];
    const run: Database["run"] = async (statement) => {
      noted.push(statement);
      return [];
    };
    await act({ ...databases[0], run, transaction: (work) => work({ run }) });
    const statement = noted.at(-1);
    if (statement === undefined) throw new TypeError("nothing was asked");
    return statement;
  }

  /** The plan that is kept for whatever is asked, as it is made at this moment. */
  async function keptPlanOf({ text, values }: Statement): Promise<string> {
    return databases[0].transaction(async (queries) => {
      const say = (order: string) => queries.run({ name: "", text: order, values: [] });
      await say("SET LOCAL plan_cache_mode = force_generic_plan");
      await say(`PREPARE looked_up AS ${text}`);
      const plan = await say(`EXPLAIN EXECUTE looked_up (${values.map(() => "NULL").join(", ")})`);
      await say("DEALLOCATE looked_up");
      return JSON.stringify(plan);
    });
  }

  async function expectIndex(table: string, act: LookUp[2]): Promise<void> {
    const plan = await keptPlanOf(await statementOf(act));
    expect(plan)
      .to.match(new RegExp(`Index (Only )?Scan (using|on) ${table}`))
      .and.not.match(/Seq Scan on (?!feed_head)/);
  }

  /** What counting calls scans, beside what this connection has scanned before; the statements of a function tell no plan. */
  async function scansOfCounting() {
    const { text, values } = await statementOf((database) =>
      createRateLimitsInPostgres(database).pour(
        ["tpp", "application"].map((name) => ({ name, perMinute: 60 })),
      ),
    );
    return databases[0].transaction(async (queries) => {
      const say = <Row>(order: string) => queries.run<Row>({ name: "", text: order, values: [] });
      const countScans = async () => {
        const [row] = await say<{
          whole: number;
          index: number;
        }>(`SELECT seq_scan::int4 AS whole, idx_scan::int4 AS index
          FROM pg_stat_xact_user_tables WHERE relname = 'rate_limit'`);
        return row ?? { whole: 0, index: 0 };
      };
      await say("SET LOCAL plan_cache_mode = force_generic_plan");
      await say("DISCARD PLANS");
      const before = await countScans();
      await queries.run({ name: "", text, values });
      const after = await countScans();
      return { whole: after.whole - before.whole, index: after.index - before.index };
    });
  }

  // Each of the two is looked up and poured into.
  const expectCountedByIndex = async () =>
    expect(await scansOfCounting()).to.deep.equal({ whole: 0, index: 4 });

  it("is found by index, with a plan from when the table was new: number of calls", expectCountedByIndex);

  for (const [what, table, act] of [...OF_SHORT_LIVES, ...OF_LONG_LIVES])
    it(`is found by index, with a plan from when the table was new: ${what}`, () => expectIndex(table, act));

  describe("and has been emptied", () => {
    before(async () => {
      const { pool } = databases[0];
      await pool.query(`INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
        SELECT 'AccessToken', sha256(n::text::bytea), 'grant', '{}', now() FROM generate_series(1, 10000) AS n`);
      await pool.query(`INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
        SELECT 'Session', sha256(n::text::bytea), sha256(n::text::bytea), '{}', now() FROM generate_series(1, 10000) AS n`);
      await pool.query(
        "INSERT INTO rate_limit SELECT sha256(n::text::bytea), now() FROM generate_series(1, 10000) AS n",
      );
      for (const table of ["token", "ephemeral_record", "rate_limit"]) {
        await pool.query(`DELETE FROM ${table}`);
        await pool.query(`VACUUM ${table}`);
      }
    });

    for (const [what, table, act] of OF_SHORT_LIVES)
      it(`is found by index, with a plan from that moment: ${what}`, () => expectIndex(table, act));
    it("is found by index, with a plan from that moment: number of calls", expectCountedByIndex);
  });
});
