import type { Database, Queries } from "@cobs/service-edge";
import type { SandboxBankContent } from "./sandbox-bank-content.ts";

/**
 * Fills the sandbox bank, all or nothing, and once: false when content of that name is already in. Processes that
 * start at the same time wait for the first. An account that would go below its limit refuses everything.
 */
export async function seedSandboxBank(database: Database, content: SandboxBankContent): Promise<boolean> {
  return database.transaction(async (queries) => {
    if (!(await mark(queries, content.name))) return false;
    await insertLedger(queries, content);
    await insertAccounts(queries, content);
    await insertAccess(queries, content);
    await insertEntries(queries, content);
    await queries.run({ name: "", text: BALANCES, values: [] });
    return true;
  });
}

async function mark(queries: Queries, name: string): Promise<boolean> {
  const text = "INSERT INTO sandbox_seed (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING name";
  const rows = await queries.run({ name: "", text, values: [name] });
  return rows.length === 1;
}

async function insertLedger(queries: Queries, { ledger }: SandboxBankContent): Promise<void> {
  await insertColumns(queries, {
    text: `INSERT INTO sandbox_ledger (account_id, currency, overdraft_limit)
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])`,
    rows: ledger.map((account) => [account.id, account.currency, account.overdraftLimit]),
  });
}

async function insertAccounts(queries: Queries, { accounts }: SandboxBankContent): Promise<void> {
  await insertColumns(queries, {
    text: `INSERT INTO sandbox_account (account_id, iban, account_number, bank_code, country_code, bic, currency,
        name_cs, name_en, product_cs, product_en)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::text[], $10::text[], $11::text[])`,
    rows: accounts.map(({ id, iban, number, servicer, currency, names, products }) => [
      id,
      iban,
      number,
      servicer.bankCode,
      servicer.countryCode,
      servicer.bic,
      currency,
      names?.cs,
      names?.en,
      products?.cs,
      products?.en,
    ]),
  });
}

async function insertAccess(queries: Queries, { access }: SandboxBankContent): Promise<void> {
  await insertColumns(queries, {
    text: "INSERT INTO sandbox_account_access (psu_id, account_id) SELECT * FROM unnest($1::text[], $2::text[])",
    rows: access.map(({ psu, account }) => [psu, account]),
  });
}

/** Sends every booking once; the statement makes the two legs of it and numbers them within their accounts. */
async function insertEntries(queries: Queries, { bookings }: SandboxBankContent): Promise<void> {
  await insertColumns(queries, {
    text: ENTRIES,
    rows: bookings.map((booking) => [
      booking.id,
      booking.bookedAt.toISOString(),
      booking.valueDate,
      booking.amount,
      booking.currency,
      booking.debit.account,
      booking.debit.code,
      booking.credit.account,
      booking.credit.code,
      JSON.stringify(booking.details),
    ]),
  });
}

async function insertColumns(
  queries: Queries,
  { text, rows }: { readonly text: string; readonly rows: readonly (readonly unknown[])[] },
): Promise<void> {
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
  if (rows.length > 0) await queries.run({ name: "", text, values: columns });
}

// Numbers follow the times of the bookings, so that dates and numbers can never disagree.
const ENTRIES = `INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency,
    transaction_code, details)
  SELECT leg.account_id, row_number() OVER (PARTITION BY leg.account_id ORDER BY booking.booked_at, booking.place),
    booking.id, booking.booked_at, booking.value_date, leg.amount, booking.currency, leg.code, booking.details
  FROM unnest($1::text[], $2::timestamptz[], $3::date[], $4::bigint[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::jsonb[]) WITH ORDINALITY
    AS booking (id, booked_at, value_date, amount, currency, debit, debit_code, credit, credit_code, details, place)
  CROSS JOIN LATERAL (VALUES (debit, debit_code, -amount), (credit, credit_code, amount))
    AS leg (account_id, code, amount)`;

const BALANCES = `UPDATE sandbox_ledger AS ledger
  SET balance = booked.balance, last_seq = booked.last_seq, last_booked_at = booked.last_booked_at
  FROM (SELECT account_id, sum(amount)::bigint AS balance, max(seq) AS last_seq, max(booked_at) AS last_booked_at
    FROM sandbox_entry GROUP BY account_id) AS booked
  WHERE booked.account_id = ledger.account_id`;
