import type { Database, Queries } from "@cobs/service-edge";
import type { Booking, LedgerAccount, SandboxBankContent } from "./sandbox-bank-content.ts";

/**
 * Fills the sandbox bank, all or nothing, and once: false when content of that name is already in. Processes that
 * start at the same time wait for the first. Throws when an account would end below its limit or is not in the ledger.
 */
export async function seedSandboxBank(database: Database, content: SandboxBankContent): Promise<boolean> {
  return database.transaction(async (queries) => {
    const marked = await queries.run({ name: "", text: MARK, values: [content.name] });
    if (marked.length === 0) return false;
    await insert(queries, LEDGER, content.ledger.map(ledgerRow));
    await insert(queries, ACCOUNTS, content.accounts);
    await insert(queries, ACCESS, content.access);
    await insert(queries, ENTRIES, entryRows(content.bookings));
    await queries.run({ name: "", text: BALANCES, values: [] });
    return true;
  });
}

const MARK = "INSERT INTO sandbox_seed (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING name";

const LEDGER = `INSERT INTO sandbox_ledger (account_id, currency, overdraft_limit)
  SELECT id, currency, "overdraftLimit"
  FROM json_to_recordset($1) AS account (id text, currency text, "overdraftLimit" bigint)`;

const ACCOUNTS = `INSERT INTO sandbox_account (account_id, iban, account_number, bank_code, country_code, bic, currency,
    name_cs, name_en, product_cs, product_en)
  SELECT id, iban, number, servicer->>'bankCode', servicer->>'countryCode', servicer->>'bic', currency,
    names->>'cs', names->>'en', products->>'cs', products->>'en'
  FROM json_to_recordset($1)
    AS account (id text, iban text, number text, currency text, servicer json, names json, products json)`;

const ACCESS = `INSERT INTO sandbox_account_access (psu_id, account_id)
  SELECT psu, account FROM json_to_recordset($1) AS access (psu text, account text)`;

// Every booking comes once and leaves as its two legs. A leg whose account is not in the ledger in that currency has no
// currency, which the table refuses. The bank's own legs need no details: nobody reads them.
const ENTRIES = `INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency,
    transaction_code, details)
  SELECT leg.account, leg.seq, booking.id, booking."bookedAt", booking."valueDate", leg.amount, ledger.currency,
    leg.code, CASE WHEN ledger.overdraft_limit IS NULL THEN '{}' ELSE booking.details END
  FROM json_to_recordset($1) AS booking (id text, "bookedAt" timestamptz, "valueDate" date, amount bigint,
    currency text, debit text, "debitSeq" bigint, "debitCode" text, credit text, "creditSeq" bigint,
    "creditCode" text, details jsonb)
  CROSS JOIN LATERAL (VALUES (debit, "debitSeq", "debitCode", -amount), (credit, "creditSeq", "creditCode", amount))
    AS leg (account, seq, code, amount)
  LEFT JOIN sandbox_ledger AS ledger ON ledger.account_id = leg.account AND ledger.currency = booking.currency`;

const BALANCES = `UPDATE sandbox_ledger AS ledger
  SET balance = booked.balance, last_seq = booked.last_seq, last_booked_at = booked.last_booked_at
  FROM (SELECT account_id, sum(amount)::bigint AS balance, max(seq) AS last_seq, max(booked_at) AS last_booked_at
    FROM sandbox_entry GROUP BY account_id) AS booked
  WHERE booked.account_id = ledger.account_id`;

/** So few that each statement stays within its time limit on a slow machine too. */
const BATCH_ROWS = 2_000;

/** One JSON text is several times faster than arrays of values, which the driver escapes one by one. */
async function insert(queries: Queries, text: string, rows: readonly object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS);
    await queries.run({ name: "", text, values: [JSON.stringify(batch)] });
  }
}

function ledgerRow({ overdraftLimit, ...account }: LedgerAccount): object {
  return { ...account, overdraftLimit: overdraftLimit === null ? null : String(overdraftLimit) };
}

/** Gives each leg its place among the entries of its account, by time, so that numbers and times never disagree. */
function entryRows(bookings: readonly Booking[]): readonly object[] {
  const last = new Map<string, number>();
  const next = (account: string) => {
    const seq = (last.get(account) ?? 0) + 1;
    last.set(account, seq);
    return seq;
  };
  const ordered = bookings.toSorted((one, other) => one.bookedAt.getTime() - other.bookedAt.getTime());
  return ordered.map(({ amount, debit, credit, ...booking }) => ({
    ...booking,
    amount: String(amount),
    debit: debit.account,
    debitSeq: next(debit.account),
    debitCode: debit.code,
    credit: credit.account,
    creditSeq: next(credit.account),
    creditCode: credit.code,
  }));
}
