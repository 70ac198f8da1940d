/**
 * Reads histories of the sandbox bank. In the order of booking, a page, a span of time and a count each cost the same few
 * index probes and range scans, however long the history and however deep the page: the entries of an account are numbered
 * without gaps in that order (`0001_sandbox-bank.sql`).
 */
import type {
  CurrencyCode,
  DetailsText,
  PageContent,
  Sort,
  StoredTransaction,
  TransactionCode,
  TransactionSortField,
} from "@cobs/cobs-model";
import type { Queries, Statement } from "@cobs/service-edge";
import type { TransactionListRequest } from "./bank.ts";
import { BankRefusal, isOrderOfBooking, MAX_SORTED_TRANSACTIONS } from "./bank-refusal.ts";
import { isoDateSql, isoDateTimeSql, localTimeSql } from "./bank-time-sql.ts";

/** A row that holds an item. Values checked at booking are not checked again, because a page has a hundred rows. */
type ItemRow = {
  readonly total: number;
  readonly currency: CurrencyCode;
  readonly reference: string;
  readonly amount: bigint;
  readonly is_reversal: boolean;
  readonly is_pending: boolean;
  readonly booking_date: string;
  readonly value_date: string;
  readonly transaction_code: TransactionCode;
  readonly details: DetailsText | null;
};

/**
 * A row of a page. A page past the end has a single row without an item; its currency is null if the account is not kept in
 * it.
 */
type PageRow =
  | ItemRow
  | { readonly total: number; readonly currency: CurrencyCode | null; readonly reference: null };

/** Implements `AccountBank.listTransactions` with one statement. */
export async function listTransactions(
  database: Queries,
  request: TransactionListRequest,
): Promise<PageContent<StoredTransaction>> {
  const rows = await database.run<PageRow>(statementOf(request));
  const [first] = rows;
  if (first === undefined) throw new BankRefusal("account_unknown");
  if (first.currency === null) throw new BankRefusal("currency_unknown");
  if (first.total > MAX_SORTED_TRANSACTIONS && !isOrderOfBooking(request.sort))
    throw new BankRefusal("sort_too_large");
  const entries = rows.flatMap((row) => (row.reference === null ? [] : [transactionOf(row)]));
  return { entries, totalCount: first.total };
}

function transactionOf(row: ItemRow): StoredTransaction {
  const isDebit = row.amount < 0n;
  return {
    entryReference: row.reference,
    amount: { minor: isDebit ? -row.amount : row.amount, currency: row.currency },
    direction: isDebit ? "DBIT" : "CRDT",
    isReversal: row.is_reversal,
    status: row.is_pending ? "PDNG" : "BOOK",
    bookingDate: row.booking_date,
    valueDate: row.value_date,
    code: row.transaction_code,
    details: row.details,
  };
}

type Keys = readonly Sort<TransactionSortField>[];

function statementOf({ psu, account, ...wanted }: TransactionListRequest): Statement {
  const { currency = null, from, before = "infinity", sort, page } = wanted;
  const order = sort.map(({ field, direction }) => `${field} ${direction}`);
  const skipped = BigInt(page.page) * BigInt(page.size);
  return {
    // Rare orders stay unnamed, so that a caller cannot fill the server's memory with plans.
    name: sort.length > 1 ? "" : `sandbox-transactions ${order[0] ?? "newest first"}`,
    text: textOf(sort),
    values: [psu, account, currency, from, before, page.size, skipped],
    keepsJson: true,
  };
}

/** Writes the statement. A sort by booking date alone compares instants, which is the order of the numbers. */
function textOf(sort: Keys): string {
  if (!isOrderOfBooking(sort)) return sorted(sort);
  return sort[0]?.direction === "asc" ? OLDEST_FIRST : NEWEST_FIRST;
}

/** The only texts that a requested order can bring into a statement. Amounts are compared as they are shown, unsigned. */
const SORT_KEYS: Record<TransactionSortField, string> = {
  bookingDate: `${localTimeSql("happened_at")}::date`,
  valueDate: "value_date",
  amount: "abs(amount)",
  entryReference: "reference",
};

// Without access there is no row; without that currency, no ledger. `first` and `last` are numbers of entries, each found by
// one probe. They are null, or `first` exceeds `last`, if nothing was booked in the span.
const SPAN = `
  wanted AS (
    SELECT ledger.ledger_id, ledger.currency
    FROM sandbox_account_access AS access
    LEFT JOIN sandbox_account_ledger AS ledger ON ledger.account_id = access.account_id
      AND (ledger.currency = $3::text OR ($3::text IS NULL AND ledger.position = 0))
    WHERE access.psu_id = $1 AND access.account_id = $2
  ), pending AS (
    SELECT item.*, row_number() OVER (ORDER BY blocked_at, pending_id) - 1 AS nth
    FROM wanted JOIN sandbox_pending AS item USING (ledger_id)
    WHERE blocked_at >= $4::timestamptz AND blocked_at < $5::timestamptz
  ), bounds AS MATERIALIZED (
    SELECT wanted.*,
      (SELECT seq FROM sandbox_entry WHERE account_id = ledger_id AND booked_at >= $4::timestamptz
        ORDER BY booked_at, seq LIMIT 1) AS first,
      (SELECT seq FROM sandbox_entry WHERE account_id = ledger_id AND booked_at < $5::timestamptz
        ORDER BY booked_at DESC, seq DESC LIMIT 1) AS last,
      (SELECT count(*) FROM pending) AS waiting
    FROM wanted
  ), span AS (
    SELECT *, greatest(last - first + 1, 0) AS booked, greatest(last - first + 1, 0) + waiting AS total FROM bounds
  )`;

// Every item of the span has a place, counted from zero in the order of booking, pending items last.
const ENTRY_OF_PLACES =
  "account_id = ledger_id AND seq >= first + low AND seq <= first + least(high, booked - 1)";
const PENDING_OF_PLACES = "booked + nth BETWEEN low AND high";

/** The items at the places from `low` to `high` of each `part`. */
const ITEMS = `
  SELECT total::int AS total, currency, reference, amount, is_reversal, is_pending, ${bookingDateSql()} AS booking_date,
    ${isoDateSql("value_date")} AS value_date, transaction_code, details
  FROM span LEFT JOIN (
    SELECT part, item.* FROM parts CROSS JOIN LATERAL (
      SELECT seq - first AS place, booking_id AS reference, amount, is_reversal, false AS is_pending,
        booked_at AS happened_at, value_date, transaction_code, details
      FROM sandbox_entry WHERE ${ENTRY_OF_PLACES}
      UNION ALL
      SELECT booked + nth, pending_id, amount, false, true, blocked_at, value_date, transaction_code, details
      FROM pending WHERE ${PENDING_OF_PLACES}
    ) AS item
  ) AS told ON true`;

const OLDEST_FIRST = `WITH ${SPAN}, parts AS (
    SELECT *, 0 AS part, $7::bigint AS low, $7::bigint + $6::bigint - 1 AS high FROM span
  ) ${ITEMS} ORDER BY place`;

const NEWEST_FIRST = `WITH ${SPAN}, parts AS (
    SELECT *, 0 AS part, greatest(total - $7::bigint - $6::bigint, 0) AS low, total - $7::bigint - 1 AS high FROM span
  ) ${ITEMS} ORDER BY place DESC`;

/** Reads the sort keys of all items, unless there are too many, and then the items of one page. */
function sorted(sort: Keys): string {
  const order = sort.map(({ field, direction }) => `${SORT_KEYS[field]} ${direction}`).join(", ");
  return `WITH ${SPAN}, keys AS (
      SELECT seq - first AS place, booking_id AS reference, amount, booked_at AS happened_at, value_date
      FROM span JOIN sandbox_entry ON account_id = ledger_id AND seq BETWEEN first AND last
      WHERE total <= ${MAX_SORTED_TRANSACTIONS}
      UNION ALL
      SELECT booked + nth, pending_id, amount, blocked_at, value_date
      FROM span CROSS JOIN pending WHERE total <= ${MAX_SORTED_TRANSACTIONS}
    ), ordered AS (
      SELECT place, row_number() OVER (ORDER BY ${order}, place) AS part FROM keys
      ORDER BY part LIMIT $6::bigint OFFSET $7::bigint
    ), parts AS (
      SELECT span.*, part, place AS low, place AS high FROM ordered CROSS JOIN span
    ) ${ITEMS} ORDER BY part`;
}

/** Bookings of cards and cash have a time as well as a day (COBS 3.1.5). */
function bookingDateSql(): string {
  return `CASE WHEN transaction_code >= '2' AND transaction_code < '4' THEN ${isoDateTimeSql("happened_at")}
    ELSE ${isoDateSql(localTimeSql("happened_at"))} END`;
}
