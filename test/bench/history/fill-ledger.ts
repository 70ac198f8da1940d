import { type AccountId, parseAccountId } from "@cobs/cobs-model";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database, Queries } from "@cobs/service-edge";
import { idsOf, ledgerOf } from "../../resource/bank/test-ledgers.ts";

/** Anna's account with a tenth of all entries; each of her others has a thousand. */
export const LARGE = idsOf("large").account;

/** How many accounts with a thousand entries there are. */
export function countSmallAccounts(transactions: number): number {
  return (transactions * 9) / 10 / 1_000;
}

/** One of them, counted from zero. */
export function smallAccount(index: number): AccountId {
  return parseAccountId(`small-${index}`);
}

/** How much history there is; the entries of all accounts are in the table in the order of their times. */
export const HISTORY_MILLISECONDS = 730 * 86_400_000;

/** What is filled in, and who is told how far it is. */
export interface Filling {
  /** A multiple of 10,000. */
  readonly transactions: number;
  readonly until: Date;
  readonly onProgress: (what: string) => void;
}

const BATCH_ENTRIES = 250_000;

/** Fills an empty, migrated ledger; numbers are dense in each account, balances mean nothing. */
export async function fillLedger(database: Database, filling: Filling): Promise<void> {
  await seedSandboxBank(database, ledgerOf("large"));
  for (const text of SMALL_ACCOUNTS) {
    await database.run({ name: "", text, values: [countSmallAccounts(filling.transactions), LARGE] });
  }
  await database.transaction((queries) => fillEntries(queries, filling));
  for (const table of ["entry", "ledger", "account", "account_ledger", "account_access", "pending"]) {
    await database.run({ name: "", text: `VACUUM ANALYZE sandbox_${table}`, values: [] });
  }
}

async function fillEntries(queries: Queries, { transactions, until, onProgress }: Filling): Promise<void> {
  const run = (text: string, values: readonly unknown[] = []) => queries.run({ name: "", text, values });
  for (const text of WITHOUT_INDEXES) await run(text);
  const start = new Date(until.getTime() - HISTORY_MILLISECONDS);
  const [every, accounts] = [HISTORY_MILLISECONDS / transactions, countSmallAccounts(transactions)];
  for (let first = 0; first < transactions; first += BATCH_ENTRIES) {
    onProgress(`${first.toLocaleString("en")} of ${transactions.toLocaleString("en")} transactions`);
    const last = Math.min(first + BATCH_ENTRIES, transactions) - 1;
    await run(ENTRIES, [first, last, start, every, accounts, LARGE]);
  }
  for (const text of WITH_INDEXES) {
    onProgress(text);
    await run(text);
  }
}

/** Like the large one, but for their ids. */
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

const DETAILS = JSON.stringify({
  references: { endToEndIdentification: "NOTPROVIDED" },
  amountDetails: { instructedAmount: { amount: { value: "1250.00", currency: "CZK" } } },
  relatedParties: {
    debtor: { name: "Jan Novak" },
    debtorAccount: { identification: { iban: "CZ6508000000192000145399" } },
    creditorAccount: { identification: { iban: "CZ3299000000002000000018" } },
  },
  relatedAgents: {
    debtorAgent: { financialInstitutionIdentification: { other: { identification: "0800" } } },
    creditorAgent: { financialInstitutionIdentification: { bic: "TESTCZPP" } },
  },
  remittanceInformation: {
    unstructured: "Nájem květen",
    structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308"] } },
  },
});

// Every tenth entry is the large account's, the rest goes round among the small ones; how many of each came before is
// plain arithmetic.
const ENTRIES = `INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency,
    transaction_code, details, balance_after)
  SELECT owner.account_id, owner.seq, 'T-' || lpad(i::text, 12, '0'), at, at::date, 125000, 'CZK',
    CASE WHEN i % 3 = 0 THEN '30000201000' ELSE '10000107000' END, '${DETAILS}', 0
  FROM generate_series($1::bigint, $2::bigint) AS i
  CROSS JOIN LATERAL (SELECT $3::timestamptz + i * $4::float8 * interval '1 millisecond' AS at, i - i / 10 - 1 AS other)
    AS entry
  CROSS JOIN LATERAL (SELECT
    CASE WHEN i % 10 = 0 THEN $6::text ELSE 'small-' || other % $5::bigint END AS account_id,
    CASE WHEN i % 10 = 0 THEN i / 10 ELSE other / $5::bigint END + 1 AS seq
  ) AS owner`;
