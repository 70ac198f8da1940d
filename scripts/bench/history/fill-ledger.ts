import { type AccountId, parseAccountId } from "@cobs/cobs-model";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import type { ClientBase } from "pg";
import { copyLine, copyRows } from "../../../packages/resource/src/bank/copy-rows-postgres.ts";
import { idsOf, ledgerOf } from "../../../test/resource/bank/test-ledgers.ts";
import { DOMESTIC_DETAILS } from "../../../test/support/example-details.ts";

/** Anna's account that has a tenth of all entries; each of her others has a thousand. */
export const LARGE = idsOf("large").account;

/** Number of accounts with a thousand entries. */
export function countSmallAccounts(transactions: number): number {
  return (transactions * 9) / 10 / 1_000;
}

/** The small account of an index, counted from zero. */
export function smallAccount(index: number): AccountId {
  return parseAccountId(`small-${index}`);
}

/** Length of the history; entries of all accounts are in the table in the order of their times. */
export const HISTORY_MILLISECONDS = 730 * 86_400_000;

/** What is filled in, and who hears of the progress. */
export interface Filling {
  /** A multiple of 10,000. */
  readonly transactions: number;
  readonly until: Date;
  readonly onProgress: (what: string) => void;
}

const TOLD_ENTRIES = 250_000;

/** Fills an empty, migrated ledger. Numbers are dense within each account; balances mean nothing. */
export async function fillLedger(database: Database, filling: Filling): Promise<void> {
  await seedSandboxBank(database, ledgerOf("large"));
  for (const text of SMALL_ACCOUNTS) {
    await database.run({ name: "", text, values: [countSmallAccounts(filling.transactions), LARGE] });
  }
  await inTransaction(database, (client) => fillEntries(client, filling));
  for (const table of ["entry", "ledger", "account", "account_ledger", "account_access", "pending"]) {
    await database.run({ name: "", text: `VACUUM ANALYZE sandbox_${table}`, values: [] });
  }
}

async function inTransaction(database: Database, work: (client: ClientBase) => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  let broken = true;
  try {
    await client.query("BEGIN");
    await work(client);
    await client.query("COMMIT");
    broken = false;
  } finally {
    client.release(broken);
  }
}

async function fillEntries(client: ClientBase, filling: Filling): Promise<void> {
  for (const text of WITHOUT_INDEXES) await client.query(text);
  await copyRows(client, ENTRIES, entryLines(filling));
  for (const text of WITH_INDEXES) {
    filling.onProgress(text);
    await client.query(text);
  }
}

/** Inserts small accounts that equal the large one except for their ids. */
const SMALL_ACCOUNTS = [
  `INSERT INTO sandbox_ledger (account_id, currency, overdraft_limit)
    SELECT 'small-' || i, currency, overdraft_limit
    FROM sandbox_ledger, generate_series(0, $1::int - 1) AS i WHERE account_id = $2`,
  `INSERT INTO sandbox_account (account_id, iban, account_number, bank_code, country_code, bic, currency, name_cs,
      name_en, product_cs, product_en)
    SELECT 'small-' || i, iban, account_number, bank_code, country_code, bic, currency, name_cs, name_en, product_cs,
      product_en
    FROM sandbox_account, generate_series(0, $1::int - 1) AS i WHERE account_id = $2`,
  `INSERT INTO sandbox_account_ledger (account_id, currency, ledger_id, position)
    SELECT 'small-' || i, currency, 'small-' || i, 0
    FROM sandbox_account, generate_series(0, $1::int - 1) AS i WHERE account_id = $2`,
  `INSERT INTO sandbox_account_access (psu_id, account_id)
    SELECT psu_id, 'small-' || i
    FROM sandbox_account_access, generate_series(0, $1::int - 1) AS i WHERE account_id = $2`,
];

const WITHOUT_INDEXES = [
  "SET LOCAL maintenance_work_mem = '512MB'",
  "ALTER TABLE sandbox_entry DROP CONSTRAINT sandbox_entry_pkey, DROP CONSTRAINT sandbox_entry_account_id_booking_id_key",
  "DROP INDEX sandbox_entry_booked_at",
];

const WITH_INDEXES = [
  "ALTER TABLE sandbox_entry ADD PRIMARY KEY (account_id, seq)",
  "ALTER TABLE sandbox_entry ADD UNIQUE (account_id, booking_id)",
  "CREATE INDEX sandbox_entry_booked_at ON sandbox_entry (account_id, booked_at, seq)",
];

const DETAILS = JSON.stringify(DOMESTIC_DETAILS);

const ENTRIES = {
  table: "sandbox_entry",
  columns: [
    ...["account_id", "seq", "booking_id", "booked_at", "value_date", "amount", "currency"],
    ...["transaction_code", "details", "balance_after"],
  ],
};

function* entryLines({ transactions, until, onProgress }: Filling): Generator<string> {
  const start = until.getTime() - HISTORY_MILLISECONDS;
  const [every, accounts] = [HISTORY_MILLISECONDS / transactions, countSmallAccounts(transactions)];
  for (let entry = 0; entry < transactions; entry += 1) {
    if (entry % TOLD_ENTRIES === 0)
      onProgress(`${entry.toLocaleString("en")} of ${transactions.toLocaleString("en")} transactions`);
    const { account, seq } = ownerOf(entry, accounts);
    const at = new Date(start + entry * every).toISOString();
    const id = `T-${String(entry).padStart(12, "0")}`;
    const code = entry % 3 === 0 ? "30000201000" : "10000107000";
    yield copyLine([account, seq, id, at, at.slice(0, 10), 125_000, "CZK", code, DETAILS, 0]);
  }
}

/** Every tenth entry belongs to the large account; the small accounts take turns with the rest. */
function ownerOf(entry: number, accounts: number): { readonly account: AccountId; readonly seq: number } {
  if (entry % 10 === 0) return { account: LARGE, seq: entry / 10 + 1 };
  const other = entry - Math.floor(entry / 10) - 1;
  return { account: smallAccount(other % accounts), seq: Math.floor(other / accounts) + 1 };
}
