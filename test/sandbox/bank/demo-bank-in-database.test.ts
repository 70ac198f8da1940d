import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { makeDemoBank } from "../../../packages/sandbox/src/bank/demo-bank.ts";
import { openMigratedDatabase } from "../../resource/bank/migrated-database.ts";

const { content, psus } = makeDemoBank({ seed: "test", asOf: new Date("2026-03-04T09:30:00Z") });

describe("Demo bank in a database", () => {
  let database: Database;

  before(async () => {
    database = await openMigratedDatabase();
    expect(await seedSandboxBank(database, content)).to.equal(true);
  });
  after(() => database.close());

  const count = async (text: string) =>
    (await database.run<{ count: bigint }>({ name: "", text: `SELECT count(*) ${text}`, values: [] }))[0]
      ?.count;

  it("is complete, with two entries for each booking that add up to zero in every currency", async () => {
    expect(await count("FROM sandbox_entry")).to.equal(BigInt(content.bookings.length * 2));
    const sums = "SELECT FROM sandbox_entry GROUP BY currency HAVING sum(amount) <> 0";
    expect(await count(`FROM (${sums}) AS unbalanced`)).to.equal(0n);
  });

  it("numbers the entries of an account without gaps, in the order of their times", async () => {
    const numbered = `SELECT seq, row_number() OVER (PARTITION BY account_id ORDER BY booked_at, seq) AS place
      FROM sandbox_entry`;
    expect(await count(`FROM (${numbered}) AS numbered WHERE seq <> place`)).to.equal(0n);
  });

  it("keeps the balance after each entry, ending at that of the ledger", async () => {
    const summed = `SELECT balance_after, sum(amount) OVER (PARTITION BY account_id ORDER BY seq) AS balance
      FROM sandbox_entry`;
    expect(await count(`FROM (${summed}) AS summed WHERE balance_after <> balance`)).to.equal(0n);
    const last = `SELECT FROM sandbox_ledger AS ledger JOIN sandbox_entry AS entry USING (account_id)
      WHERE seq = last_seq AND (balance <> balance_after OR booked_at <> last_booked_at)`;
    expect(await count(`FROM (${last}) AS differing`)).to.equal(0n);
  });

  it("keeps every currency of an account, and what is pending", async () => {
    const { accounts, ledgers = [], pending = [] } = content;
    expect(await count("FROM sandbox_account_ledger")).to.equal(BigInt(accounts.length + ledgers.length));
    expect(await count("FROM sandbox_account_ledger WHERE position = 2")).to.equal(2n);
    expect(await count("FROM sandbox_pending")).to.equal(BigInt(pending.length));
  });

  it("has one closed account, one that is not a payment account, and a holder for each", async () => {
    expect(await count("FROM sandbox_account WHERE closed_at IS NOT NULL")).to.equal(1n);
    expect(await count("FROM sandbox_account WHERE NOT is_payment_account")).to.equal(1n);
    expect(await count("FROM sandbox_account WHERE holder IS NULL")).to.equal(0n);
  });

  it("shows every PSU the accounts assigned to them", async () => {
    const bank = openSandboxBank(database);
    for (const { id, accounts } of psus) {
      const told = await bank.accountsOf(id);
      expect(told.map((account) => account.id)).to.have.members(accounts);
    }
  });
});
