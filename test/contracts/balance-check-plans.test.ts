import { randomUUID } from "node:crypto";
import { parseAccountId, parseCurrencyCode } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, openDatabase, Secret, type Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { createBalanceCheckStore } from "../../packages/resource/src/balance-check/balance-check-store-postgres.ts";
import { readableLog } from "../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../support/test-databases.ts";
import { notingDatabase } from "./noting-database.ts";

const TPP = parseOrganisationIdentifier("PSDCZ-CNB-1");
const ACCOUNT = parseAccountId("account-of-long-ago");
const LIMITS = { perHour: 6, amountsPerHour: 3, amountsPerDay: 5 };

// A twentieth is of the one account, and all of these are older than the others.
const FILL = `INSERT INTO balance_check (response_identification, organisation_identifier, account_id, amount, checked_at)
  OVERRIDING SYSTEM VALUE
  SELECT n, 'PSDCZ-CNB-1', CASE WHEN n <= 1000 THEN '${ACCOUNT}' ELSE 'account-' || n END, '1 CZK',
    now() - interval '300 days' + n * interval '10 minutes'
  FROM generate_series(1, 20000) AS n`;

describe("Balance checks about one account", () => {
  let database: Database;
  let noted: Statement[];
  before(async () => {
    const { log } = readableLog();
    const url = new Secret(await createMigratedTestDatabase(MIGRATIONS_DIRECTORY));
    database = openDatabase({
      url,
      maxConnections: 2,
      applicationName: "contract",
      log,
      timeLimits: PATIENT,
    });
    await database.pool.query(FILL);
    await database.pool.query("VACUUM (ANALYZE) balance_check");
    noted = [];
  });
  after(() => database.close());

  const planOf = async (name: string) => {
    const statement = noted.find((each) => each.name === name);
    if (statement === undefined) throw new TypeError(`no statement was ${name}`);
    const { text, values } = statement;
    const rows = await database.run<{ "QUERY PLAN": string }>({ name: "", text: `EXPLAIN ${text}`, values });
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  const store = () => createBalanceCheckStore(notingDatabase(database, noted));

  it("are listed by an index, without reading newer checks of other accounts", async () => {
    await store().listOf(ACCOUNT, { after: undefined, limit: 50 });
    expect(await planOf("balance-check-list"))
      .to.include("Index Scan Backward using balance_check_in_order")
      .and.not.to.match(/Sort|by_age/);
  });

  it("are counted against a TPP's limits by the same index", async () => {
    const amount = { minor: 100n, currency: parseCurrencyCode("CZK") };
    const exchangeIdentification = randomUUID().slice(0, 18);
    await store().take(
      { organisationIdentifier: TPP, exchangeIdentification, account: ACCOUNT, amount },
      LIMITS,
    );
    expect(await planOf("balance-check-judge")).to.match(
      /balance_check_in_order.*\n *Index Cond: .*account_id.*checked_at/,
    );
  });
});
