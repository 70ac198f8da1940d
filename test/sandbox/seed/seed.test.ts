import { requireTransaction } from "@cobs/cobs-model";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { findDemoPsu } from "../../../packages/sandbox/src/seed/find-demo-psu.ts";
import { makeTemplates } from "../../../packages/sandbox/src/seed/transaction-templates.ts";
import { readableLog } from "../../support/readable-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createMigratedTestDatabase, PATIENT } from "../../support/test-databases.ts";
import { TRANSACTION_CODES } from "../../support/transaction-codes.ts";
import { seedRuns } from "./seed-runs.ts";

const CURRENCIES = ["CZK", "EUR", "USD"] as const;

describe("npm run seed", function program() {
  this.timeout(120_000);
  const { path, remove } = temporaryFolder();
  const { log } = readableLog();
  let url: string;
  let database: Database;

  before(async () => {
    url = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    database = openDatabase({
      url: new Secret(url),
      maxConnections: 2,
      applicationName: "test",
      log,
      timeLimits: PATIENT,
    });
  });
  after(async () => {
    await database.close();
    remove();
  });

  const { start, run } = seedRuns(() => ({ url, path }));

  async function rows<Row>(text: string): Promise<readonly Row[]> {
    return database.run<Row>({ name: "", text, values: [] });
  }
  const count = async (text: string) =>
    Number((await rows<{ count: bigint }>(`SELECT count(*) ${text}`))[0]?.count);

  describe("on the database of a sandbox", () => {
    let largest: { readonly id: string; readonly transactions: number };
    /** The day (UTC) at the beginning of the first seed; what is seeded ends with the day before. */
    let day: string;
    const today = () => new Date().toISOString().slice(0, 10);

    before(async () => {
      day = today();
      const order = "--transactions 8000 --accounts 25 --largest 2500 --psu petr --seed first --json";
      const { exitCode, stdout, stderr } = await start(order).ended();
      expect(exitCode, stderr).to.equal(0);
      const result = JSON.parse(stdout);
      expect(result).to.include({ isNew: true, transactions: 8_000, accounts: 25, psu: "petr" });
      expect(result.median.transactions).to.be.below(2_500).and.above(result.smallest.transactions);
      ({ largest } = result);
    });

    it("brings in as many transactions and accounts as ordered, and gives the PSU the largest", async () => {
      const ofPsus = "FROM sandbox_entry JOIN sandbox_account USING (account_id)";
      expect(await count(ofPsus)).to.equal(8_000);
      expect(await count("FROM sandbox_account JOIN sandbox_account_ledger USING (account_id)")).to.equal(25);
      expect(largest.transactions).to.equal(2_500);
      const held = await rows(
        "SELECT psu_id, account_id, last_seq FROM sandbox_account_access JOIN sandbox_ledger USING (account_id)",
      );
      expect(held).to.deep.equal([{ psu_id: findDemoPsu("petr"), account_id: largest.id, last_seq: 2_500n }]);
    });

    it("numbers the entries of every account without gaps in order of time, with the balance after each", async () => {
      const numbered = `SELECT seq, balance_after, row_number() OVER (PARTITION BY account_id ORDER BY booked_at, seq) AS place,
        sum(amount) OVER (PARTITION BY account_id ORDER BY seq) AS balance FROM sandbox_entry`;
      expect(await count(`FROM (${numbered}) AS n WHERE seq <> place OR balance <> balance_after`)).to.equal(
        0,
      );
      const last = `FROM sandbox_ledger AS ledger LEFT JOIN sandbox_entry AS entry
        ON entry.account_id = ledger.account_id AND seq = last_seq
        WHERE last_seq > 0 AND (balance, last_booked_at) IS DISTINCT FROM (balance_after, booked_at)`;
      expect(await count(last)).to.equal(0);
    });

    it("adds up to zero in every currency, and leaves nobody below zero", async () => {
      const sums = "SELECT FROM sandbox_entry GROUP BY currency HAVING sum(amount) <> 0";
      expect(await count(`FROM (${sums}) AS unbalanced`)).to.equal(0);
      expect(await count("FROM (SELECT DISTINCT currency FROM sandbox_entry) AS currencies")).to.equal(3);
      const overdrawn = "FROM sandbox_entry JOIN sandbox_account USING (account_id) WHERE balance_after < 0";
      expect(await count(overdrawn)).to.equal(0);
    });

    it("has transactions of every kind, each as its kind requires (COBS 3.1.5.1)", async () => {
      const codes = CURRENCIES.flatMap((currency) => makeTemplates("first", currency)).map(
        ({ code }) => code,
      );
      expect([...new Set(codes)]).to.have.members(Object.keys(TRANSACTION_CODES));
      expect(await count("FROM (SELECT DISTINCT transaction_code FROM sandbox_entry) AS codes")).to.be.above(
        40,
      );
      const told = await rows<object>(`SELECT booking_id AS "entryReference",
          json_build_object('value', (abs(amount) / 100.0)::numeric(18, 2)::text, 'currency', entry.currency) AS amount,
          CASE WHEN amount < 0 THEN 'DBIT' ELSE 'CRDT' END AS direction, is_reversal AS "isReversal",
          'BOOK' AS status, value_date::text AS "bookingDate", value_date::text AS "valueDate",
          transaction_code AS code, details
        FROM sandbox_entry AS entry JOIN sandbox_account USING (account_id)`);
      for (const transaction of told) expect(() => requireTransaction(transaction)).not.to.throw();
    });

    it("names in each entry the holder and their own account", async () => {
      const own = `FROM sandbox_entry JOIN sandbox_account USING (account_id)
        WHERE details ? 'relatedParties' AND details::text NOT LIKE '%' || iban || '%'`;
      expect(await count(own)).to.equal(0);
      expect(await count("FROM sandbox_entry WHERE details::text LIKE '%@H%'")).to.equal(0);
    });

    it("reports an existing seed when ordered again, and adds another seed beside it", async () => {
      const before = await count("FROM sandbox_entry");
      const again = await run("--transactions 8000 --accounts 25 --largest 2500 --psu petr --seed first");
      expect(again).to.include({ exitCode: 0 });
      expect(again.stdout).to.include("of --seed first already exist");
      expect(await count("FROM sandbox_entry")).to.equal(before);
      const other = await run("--transactions 100 --accounts 2 --seed second --json");
      expect(JSON.parse(other.stdout)).to.include({ isNew: true });
      expect(await count("FROM sandbox_entry")).to.be.above(before);
    });

    it("refuses an existing seed with other options, rather than tell of accounts that are not there", async () => {
      const before = await count("FROM sandbox_entry");
      for (const options of [
        "--transactions 8001 --accounts 25 --largest 2500 --psu petr",
        "--transactions 8000 --accounts 24 --largest 2500 --psu petr",
        "--transactions 8000 --accounts 25 --largest 2499 --psu petr",
        "--transactions 2500 --accounts 1 --psu petr",
        "--transactions 8000 --accounts 25 --largest 2500 --psu jana",
      ]) {
        const { exitCode, stdout } = await start(`${options} --seed first --json`).ended();
        expect([exitCode, JSON.parse(stdout).error], options).to.deep.equal([2, "usage"]);
      }
      expect(await count("FROM sandbox_entry")).to.equal(before);
    });

    it("makes the same from the same seed on the same day", async () => {
      const digest = `SELECT md5(string_agg(concat_ws(' ', account_id, seq, amount, details), ' ' ORDER BY account_id, seq))
        FROM sandbox_entry WHERE account_id IN (SELECT account_id FROM sandbox_account)`;
      const makeAgain = async () => {
        await rows(
          "TRUNCATE sandbox_seed, sandbox_entry, sandbox_pending, sandbox_account_access, sandbox_account_ledger, sandbox_account, sandbox_ledger",
        );
        await run("--transactions 8000 --accounts 25 --largest 2500 --psu petr --seed first");
        await run("--transactions 100 --accounts 2 --seed second");
        return rows(digest);
      };
      const first = await rows(digest);
      const again = await makeAgain();
      // Where a day has ended since, both are made anew on the one that has begun.
      const isSameDay = today() === day;
      const former = isSameDay ? first : await makeAgain();
      expect(isSameDay ? again : await makeAgain()).to.deep.equal(former);
    });

    it("leaves nothing behind when it is interrupted, and can be run again", async () => {
      const before = await count("FROM sandbox_entry");
      const program = start("--transactions 5000000 --accounts 10 --seed interrupted");
      await program.says("stderr", /of 5,000,000 transactions/);
      program.child.kill("SIGINT");
      const ended = await program.ended();
      expect(ended.exitCode).to.equal(130);
      expect(ended.stderr).to.include("nothing was added");
      expect(await count("FROM sandbox_entry")).to.equal(before);
      const again = await run("--transactions 50 --accounts 1 --seed interrupted --json");
      expect(JSON.parse(again.stdout)).to.include({ isNew: true });
    });

    it("says that it waits for another seed of its name, and can be interrupted meanwhile", async () => {
      const first = start("--transactions 5000000 --accounts 10 --seed both");
      await first.says("stderr", /of 5,000,000 transactions/);
      const second = start("--transactions 50 --accounts 1 --seed both");
      await second.says("stderr", /waiting for another run with this --seed\n/);
      second.child.kill("SIGINT");
      expect(await second.ended()).to.deep.include({
        exitCode: 130,
        stderr: "waiting for another run with this --seed\ninterrupted: nothing was added\n",
      });
      expect(first.child.exitCode).to.equal(null);
      first.child.kill("SIGINT");
      expect((await first.ended()).exitCode).to.equal(130);
    });

    it("says in a sentence that the database went away or takes no writes, and leaves nothing behind", async () => {
      const before = await count("FROM sandbox_entry");
      const program = start("--transactions 5000000 --accounts 10 --seed gone");
      await program.says("stderr", /of 5,000,000 transactions/);
      await rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sandbox seed'",
      );
      const gone = await program.ended();
      expect(gone.exitCode).to.equal(4);
      expect(gone.stderr.trimEnd().split("\n").at(-1)).to.match(/^the database failed: .+ added twice$/);
      expect(await count("FROM sandbox_entry")).to.equal(before);
      const name = new URL(url).pathname.slice(1);
      await rows(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      const readOnly = await start("--transactions 50 --seed gone --json").ended();
      await rows(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      expect([readOnly.exitCode, JSON.parse(readOnly.stdout).error]).to.deep.equal([4, "no_database"]);
    });

    it("takes as long as it needs, whatever time limits the role or the database has", async () => {
      const name = new URL(url).pathname.slice(1);
      await rows(`ALTER DATABASE ${name} SET statement_timeout = '50ms'`);
      const { exitCode, stderr } = await run("--transactions 10000 --accounts 2 --seed slow");
      await rows(`ALTER DATABASE ${name} RESET statement_timeout`);
      expect(exitCode, stderr).to.equal(0);
    });
  });
});
