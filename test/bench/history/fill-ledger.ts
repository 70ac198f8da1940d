import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database, Queries } from "@cobs/service-edge";
import { idsOf, ledgerOf } from "../../resource/bank/test-ledgers.ts";

/** Anna's accounts: one with a thousand entries, and one with a tenth of all. */
export const SMALL = idsOf("small").account;
export const LARGE = idsOf("large").account;

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
  await seedSandboxBank(database, ledgerOf("small"));
  await seedSandboxBank(database, ledgerOf("large"));
  await database.transaction((queries) => fillEntries(queries, filling));
  for (const table of ["entry", "ledger", "account", "account_ledger", "account_access", "pending"]) {
    await database.run({ name: "", text: `VACUUM ANALYZE sandbox_${table}`, values: [] });
  }
}

async function fillEntries(queries: Queries, { transactions, until, onProgress }: Filling): Promise<void> {
  const run = (text: string, values: readonly unknown[] = []) => queries.run({ name: "", text, values });
  for (const text of WITHOUT_INDEXES) await run(text);
  const start = new Date(until.getTime() - HISTORY_MILLISECONDS);
  for (let first = 0; first < transactions; first += BATCH_ENTRIES) {
    onProgress(`${first.toLocaleString("en")} of ${transactions.toLocaleString("en")} transactions`);
    const last = Math.min(first + BATCH_ENTRIES, transactions) - 1;
    await run(ENTRIES, [first, last, transactions, start, HISTORY_MILLISECONDS / transactions, SMALL, LARGE]);
  }
  for (const text of WITH_INDEXES) {
    onProgress(text);
    await run(text);
  }
}

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

// Every tenth entry is the large account's, a thousand are the small one's, and the rest goes round among accounts of
// about nine thousand each; how many of each came before is plain arithmetic.
const ENTRIES = `INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency,
    transaction_code, details, balance_after)
  SELECT owner.account_id, owner.seq, 'T-' || lpad(i::text, 12, '0'), at, at::date, 125000, 'CZK',
    CASE WHEN i % 3 = 0 THEN '30000201000' ELSE '10000107000' END, '${DETAILS}', 0
  FROM generate_series($1::bigint, $2::bigint) AS i
  CROSS JOIN LATERAL (SELECT $4::timestamptz + i * $5::float8 * interval '1 millisecond' AS at) AS time
  CROSS JOIN LATERAL (
    SELECT $3::bigint / 1000 AS small_every, greatest($3::bigint / 10000, 1) AS others
  ) AS size
  CROSS JOIN LATERAL (
    SELECT i - (i + 9) / 10 - (i + small_every - 6) / small_every AS other
  ) AS place
  CROSS JOIN LATERAL (SELECT
    CASE WHEN i % 10 = 0 THEN $7::text WHEN i % small_every = 5 THEN $6::text ELSE 'other-' || other % others END
      AS account_id,
    CASE WHEN i % 10 = 0 THEN i / 10 WHEN i % small_every = 5 THEN i / small_every ELSE other / others END + 1 AS seq
  ) AS owner`;
