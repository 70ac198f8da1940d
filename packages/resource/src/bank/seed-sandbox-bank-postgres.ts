import type { AccountId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import type { ClientBase } from "pg";
import { copyLine, copyRows } from "./copy-rows-postgres.ts";
import type { Booking, LedgerAccount, Leg, PendingItem, SandboxBankContent } from "./sandbox-bank-content.ts";

/**
 * Fills the sandbox bank, all or nothing, once: gives false when content of that name is already loaded. Processes that start
 * at the same time wait for the first. Throws when an account would end below its limit or is not in the ledger.
 */
export async function seedSandboxBank(database: Database, content: SandboxBankContent): Promise<boolean> {
  const client = await database.pool.connect();
  let broken = true;
  try {
    await client.query("BEGIN");
    const seeded = await seedWith(client, content);
    await client.query("COMMIT");
    broken = false;
    return seeded;
  } finally {
    // Dropping a connection ends its transaction; a failure here is rare.
    client.release(broken);
  }
}

async function seedWith(client: ClientBase, content: SandboxBankContent): Promise<boolean> {
  if (!(await mark(client, content.name))) return false;
  const { lines, ledger } = entriesAndLedger(content);
  for (let start = 0; start < lines.length; start += BATCH_ROWS)
    await copyRows(client, ENTRIES, lines.slice(start, start + BATCH_ROWS));
  await insertAccounts(client, { ...content, ledger });
  return true;
}

/** A history of any length, whose entries are generated while they are loaded. */
export type SandboxHistory = Pick<SandboxBankContent, "name" | "accounts" | "access"> & {
  /**
   * One line of COPY for each entry, in the order of time and numbered without gaps: account, number, id, time, value date,
   * amount, currency, code, details, balance after it, whether it is a reversal.
   */
  readonly lines: Iterable<string>;
  /** Called after the last line. */
  readonly ledger: () => readonly (LedgerAccount & Standing)[];
};

/**
 * Adds a history to what is there, in the client's open transaction. Gives false, and adds nothing, when one of that name
 * exists.
 */
export async function seedSandboxHistory(client: ClientBase, history: SandboxHistory): Promise<boolean> {
  if (!(await mark(client, history.name))) return false;
  await copyRows(client, ENTRIES, history.lines);
  const ledger = history.ledger().map((account) => ledgerRow(account, account));
  await insertAccounts(client, { ...history, ledger });
  return true;
}

async function mark(client: ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query(MARK, [name]);
  return rowCount === 1;
}

type AccountContent = Omit<SandboxBankContent, "name" | "ledger" | "bookings"> & {
  readonly ledger: readonly object[];
};

async function insertAccounts(client: ClientBase, content: AccountContent): Promise<void> {
  await insert(client, LEDGER, content.ledger);
  await insert(client, ACCOUNTS, content.accounts);
  await insert(client, ACCOUNT_LEDGERS, accountLedgerRows(content));
  await insert(client, ACCESS, content.access);
  await insert(client, PENDING, (content.pending ?? []).map(pendingRow));
  await insert(client, TRAITS, content.traits ?? []);
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

const TRAITS = `UPDATE sandbox_account AS account
  SET holder = traits.holder, closed_at = "closedAt", is_payment_account = coalesce("isPaymentAccount", true)
  FROM json_to_recordset($1)
    AS traits (account text, holder text, "closedAt" timestamptz, "isPaymentAccount" boolean)
  WHERE traits.account = account.account_id`;

const ACCOUNT_LEDGERS = `INSERT INTO sandbox_account_ledger (account_id, currency, ledger_id, position)
  SELECT account, currency, id, position
  FROM json_to_recordset($1) AS ledger (account text, currency text, id text, position int)`;

const ACCESS = `INSERT INTO sandbox_account_access (psu_id, account_id)
  SELECT psu, account FROM json_to_recordset($1) AS access (psu text, account text)`;

/** The columns of an entry, in the order of the values of a line. */
const ENTRIES = {
  table: "sandbox_entry",
  columns: [
    "account_id",
    "seq",
    "booking_id",
    "booked_at",
    "value_date",
    "amount",
    "currency",
    "transaction_code",
    "details",
    "balance_after",
    "is_reversal",
  ],
};

const PENDING = `INSERT INTO sandbox_pending (ledger_id, pending_id, blocked_at, value_date, amount, currency,
    transaction_code, details)
  SELECT item.account, item.id, item."blockedAt", item."valueDate", item.amount, ledger.currency, item.code,
    item.details
  FROM json_to_recordset($1) AS item (account text, id text, "blockedAt" timestamptz, "valueDate" date, amount bigint,
    currency text, code text, details jsonb)
  LEFT JOIN sandbox_ledger AS ledger ON ledger.account_id = item.account AND ledger.currency = item.currency`;

/** Rows per statement, few enough to stay within its time limit on a slow machine. */
const BATCH_ROWS = 2_000;

/** Inserts rows as one JSON text, several times faster than arrays of values, which the driver escapes one by one. */
async function insert(client: ClientBase, text: string, rows: readonly object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS);
    await client.query(text, [JSON.stringify(batch)]);
  }
}

/** State of a ledger account after its last entry. */
export type Standing = {
  readonly balance: bigint;
  readonly lastSeq: number;
  readonly lastBookedAt: Date | null;
};

/** Gives the entries and then the ledger. */
function entriesAndLedger({ bookings, ledger }: SandboxBankContent) {
  const accounts = new Map(ledger.map((account) => [account.id, account]));
  const standings = new Map<AccountId, Standing>();
  const ordered = bookings.toSorted((one, other) => one.bookedAt.getTime() - other.bookedAt.getTime());
  const lines = ordered.flatMap((booking) => {
    const { debit, credit, amount } = booking;
    return [entryLine(booking, debit, -amount), entryLine(booking, credit, amount)];
  });
  return { lines, ledger: ledger.map((account) => ledgerRow(account, standings.get(account.id))) };

  /** Gives each leg the next number of its account, in the order of time, so that numbers and times always agree. */
  function entryLine(booking: Booking, leg: Leg, amount: bigint): string {
    const { id, bookedAt, valueDate, currency, isReversal = false } = booking;
    const account = accounts.get(leg.account);
    if (account?.currency !== currency)
      throw new TypeError(`${leg.account} is not in the ledger in ${currency}`);
    const { lastSeq, balance } = advance(standings, leg.account, { amount, bookedAt });
    // Nobody reads the details of the bank's own accounts.
    const details = account.overdraftLimit === null ? null : detailsOf(booking, leg);
    const who = [leg.account, lastSeq, id, bookedAt.toISOString(), valueDate];
    return copyLine([...who, amount, currency, leg.code, details, balance, isReversal]);
  }
}

function detailsOf({ details }: Booking, leg: Leg): string | null {
  const read = leg.details === undefined ? details : leg.details;
  return read === null ? null : JSON.stringify(read);
}

function advance(
  standings: Map<AccountId, Standing>,
  account: AccountId,
  { amount, bookedAt }: { readonly amount: bigint; readonly bookedAt: Date },
): Standing {
  const { balance, lastSeq } = standings.get(account) ?? NOTHING_BOOKED;
  const after = { balance: balance + amount, lastSeq: lastSeq + 1, lastBookedAt: bookedAt };
  standings.set(account, after);
  return after;
}

const NOTHING_BOOKED: Standing = { balance: 0n, lastSeq: 0, lastBookedAt: null };

function ledgerRow(
  { id, currency, overdraftLimit }: LedgerAccount,
  { balance, lastSeq, lastBookedAt }: Standing = NOTHING_BOOKED,
): object {
  const limit = overdraftLimit === null ? null : String(overdraftLimit);
  return { id, currency, overdraftLimit: limit, balance: String(balance), lastSeq, lastBookedAt };
}

/** Gives the rows of ledgers; an account keeps its main currency under its own id. */
function accountLedgerRows({ accounts, ledgers = [] }: AccountContent): readonly object[] {
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
