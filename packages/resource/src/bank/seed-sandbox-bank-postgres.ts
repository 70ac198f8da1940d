import type { AccountId } from "@cobs/cobs-model";
import type { Database, Queries } from "@cobs/service-edge";
import type { Booking, LedgerAccount, Leg, PendingItem, SandboxBankContent } from "./sandbox-bank-content.ts";

/**
 * Fills the sandbox bank, all or nothing, and once: false when content of that name is already in. Processes that
 * start at the same time wait for the first. Throws when an account would end below its limit or is not in the ledger.
 */
export async function seedSandboxBank(database: Database, content: SandboxBankContent): Promise<boolean> {
  return database.transaction(async (queries) => {
    const marked = await queries.run({ name: "", text: MARK, values: [content.name] });
    if (marked.length === 0) return false;
    const { entries, ledger } = entriesAndLedger(content);
    await insert(queries, LEDGER, ledger);
    await insert(queries, ACCOUNTS, content.accounts);
    await insert(queries, ACCOUNT_LEDGERS, accountLedgerRows(content));
    await insert(queries, ACCESS, content.access);
    await insert(queries, ENTRIES, entries);
    await insert(queries, PENDING, (content.pending ?? []).map(pendingRow));
    return true;
  });
}

const MARK = "INSERT INTO sandbox_seed (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING name";

const LEDGER = `INSERT INTO sandbox_ledger (account_id, currency, overdraft_limit, balance, last_seq, last_booked_at)
  SELECT id, currency, "overdraftLimit", balance, "lastSeq", "lastBookedAt"
  FROM json_to_recordset($1) AS account (id text, currency text, "overdraftLimit" bigint, balance bigint,
    "lastSeq" bigint, "lastBookedAt" timestamptz)`;

const ACCOUNTS = `INSERT INTO sandbox_account (account_id, iban, account_number, bank_code, country_code, bic, currency,
    name_cs, name_en, product_cs, product_en)
  SELECT id, iban, number, servicer->>'bankCode', servicer->>'countryCode', servicer->>'bic', currency,
    names->>'cs', names->>'en', products->>'cs', products->>'en'
  FROM json_to_recordset($1)
    AS account (id text, iban text, number text, currency text, servicer json, names json, products json)`;

const ACCOUNT_LEDGERS = `INSERT INTO sandbox_account_ledger (account_id, currency, ledger_id, position)
  SELECT account, currency, id, position
  FROM json_to_recordset($1) AS ledger (account text, currency text, id text, position int)`;

const ACCESS = `INSERT INTO sandbox_account_access (psu_id, account_id)
  SELECT psu, account FROM json_to_recordset($1) AS access (psu text, account text)`;

// Every booking comes once and leaves as its two legs. A leg whose account is not in the ledger in that currency has no
// currency, which the table refuses.
const ENTRIES = `INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency,
    transaction_code, details, balance_after, is_reversal)
  SELECT leg.account, leg.seq, booking.id, booking."bookedAt", booking."valueDate", leg.amount, ledger.currency,
    leg.code, leg.details, leg.balance, booking."isReversal"
  FROM json_to_recordset($1) AS booking (id text, "bookedAt" timestamptz, "valueDate" date, amount bigint,
    currency text, "isReversal" boolean,
    debit text, "debitSeq" bigint, "debitBalance" bigint, "debitCode" text, "debitDetails" jsonb,
    credit text, "creditSeq" bigint, "creditBalance" bigint, "creditCode" text, "creditDetails" jsonb)
  CROSS JOIN LATERAL (VALUES
      (debit, "debitSeq", "debitBalance", "debitCode", -amount, "debitDetails"),
      (credit, "creditSeq", "creditBalance", "creditCode", amount, "creditDetails"))
    AS leg (account, seq, balance, code, amount, details)
  LEFT JOIN sandbox_ledger AS ledger ON ledger.account_id = leg.account AND ledger.currency = booking.currency`;

const PENDING = `INSERT INTO sandbox_pending (ledger_id, pending_id, blocked_at, value_date, amount, currency,
    transaction_code, details)
  SELECT item.account, item.id, item."blockedAt", item."valueDate", item.amount, ledger.currency, item.code,
    item.details
  FROM json_to_recordset($1) AS item (account text, id text, "blockedAt" timestamptz, "valueDate" date, amount bigint,
    currency text, code text, details jsonb)
  LEFT JOIN sandbox_ledger AS ledger ON ledger.account_id = item.account AND ledger.currency = item.currency`;

/** So few that each statement stays within its time limit on a slow machine too. */
const BATCH_ROWS = 2_000;

/** One JSON text is several times faster than arrays of values, which the driver escapes one by one. */
async function insert(queries: Queries, text: string, rows: readonly object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS);
    await queries.run({ name: "", text, values: [JSON.stringify(batch)] });
  }
}

/** What an account of the ledger has come to. */
type Standing = {
  readonly balance: bigint;
  readonly lastSeq: number;
  readonly lastBookedAt: Date | null;
};

/** The entries and, after them, the ledger; a booking of an account that is not in the ledger is left to the tables. */
function entriesAndLedger({ bookings, ledger }: SandboxBankContent) {
  const standings = new Map<AccountId, Standing>();
  const bankOwn = new Set(ledger.flatMap(({ id, overdraftLimit }) => (overdraftLimit === null ? [id] : [])));
  const ordered = bookings.toSorted((one, other) => one.bookedAt.getTime() - other.bookedAt.getTime());
  const entries = ordered.map((booking) => entryRow(booking, { standings, bankOwn }));
  return { entries, ledger: ledger.map((account) => ledgerRow(account, standings.get(account.id))) };
}

type Books = {
  readonly standings: Map<AccountId, Standing>;
  /** Nobody reads the details of the bank's own accounts. */
  readonly bankOwn: ReadonlySet<AccountId>;
};

/** Gives each leg its place among the entries of its account, by time, so that numbers and times never disagree. */
function entryRow({ debit, credit, details, ...booking }: Booking, { standings, bankOwn }: Books): object {
  const { amount, bookedAt, isReversal = false } = booking;
  const detailsOf = (leg: Leg) => {
    if (bankOwn.has(leg.account)) return null;
    return leg.details === undefined ? details : leg.details;
  };
  const debited = advance(standings, debit.account, { change: -amount, bookedAt });
  const credited = advance(standings, credit.account, { change: amount, bookedAt });
  return {
    ...booking,
    ...{ amount: String(amount), isReversal },
    ...{ debit: debit.account, debitSeq: debited.seq, debitBalance: debited.balance },
    ...{ debitCode: debit.code, debitDetails: detailsOf(debit) },
    ...{ credit: credit.account, creditSeq: credited.seq, creditBalance: credited.balance },
    ...{ creditCode: credit.code, creditDetails: detailsOf(credit) },
  };
}

function advance(
  standings: Map<AccountId, Standing>,
  account: AccountId,
  { change, bookedAt }: { readonly change: bigint; readonly bookedAt: Date },
) {
  const before = standings.get(account);
  const after = {
    balance: (before?.balance ?? 0n) + change,
    lastSeq: (before?.lastSeq ?? 0) + 1,
    lastBookedAt: bookedAt,
  };
  standings.set(account, after);
  return { seq: after.lastSeq, balance: String(after.balance) };
}

function ledgerRow(
  { overdraftLimit, ...account }: LedgerAccount,
  { balance, lastSeq, lastBookedAt }: Standing = { balance: 0n, lastSeq: 0, lastBookedAt: null },
): object {
  const limit = overdraftLimit === null ? null : String(overdraftLimit);
  return { ...account, overdraftLimit: limit, balance: String(balance), lastSeq, lastBookedAt };
}

/** The main currency of an account is kept under its own id. */
function accountLedgerRows({ accounts, ledgers = [] }: SandboxBankContent): readonly object[] {
  const last = new Map<AccountId, number>();
  const main = accounts.map(({ id, currency }) => ({ account: id, currency, id, position: 0 }));
  const further = ledgers.map((ledger) => {
    const position = (last.get(ledger.account) ?? 0) + 1;
    last.set(ledger.account, position);
    return { ...ledger, position };
  });
  return [...main, ...further];
}

function pendingRow({ amount, ...item }: PendingItem): object {
  return { ...item, amount: String(amount) };
}
