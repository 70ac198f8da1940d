import type { Balance, CurrencyCode } from "@cobs/cobs-model";
import { gather, type PlacedRow, type Queries } from "@cobs/service-edge";
import type { AccountBank, AccountOfPsu, BalanceRequest } from "./bank.ts";
import { BankRefusal } from "./bank-refusal.ts";
import { isoDateSql, isoDateTimeSql, localTimeSql } from "./bank-time-sql.ts";
import { rowsByPlace } from "./rows-by-place.ts";

/** Implements {@link AccountBank.currenciesOf}. */
export async function currenciesOf(
  database: Queries,
  { psu, account }: AccountOfPsu,
): Promise<readonly CurrencyCode[]> {
  const rows = await database.run<{ currency: CurrencyCode }>({ ...CURRENCIES, values: [psu, account] });
  if (rows.length === 0) throw new BankRefusal("account_unknown");
  return rows.map(({ currency }) => currency);
}

const CURRENCIES = {
  name: "sandbox-currencies-of",
  text: `SELECT currency FROM sandbox_account_access JOIN sandbox_account_ledger USING (account_id)
    WHERE psu_id = $1 AND account_id = $2 ORDER BY position`,
};

type LedgerRow = PlacedRow & {
  readonly currency: CurrencyCode;
  readonly balance: bigint;
  readonly overdraft_limit: bigint | null;
  /** Total to be debited by pending items, positive. */
  readonly blocked: bigint;
  readonly balance_at_closing: bigint;
  readonly now: string;
  readonly closing_day: string;
};

/** An account that is not kept in the currency has a single row, with null. */
type BalanceRow = LedgerRow | (PlacedRow & { readonly currency: null });

/**
 * Implements {@link AccountBank.balancesOf}: a few index probes for each currency, however long its history, and one statement
 * for all requests that arrive together.
 */
export function openBalances(database: Queries): AccountBank["balancesOf"] {
  const rowsOf = gather(async (asked: readonly BalanceRequest[]) => {
    const values = [
      asked.map(({ psu }) => psu),
      asked.map(({ account }) => account),
      asked.map(({ currency }) => currency ?? null),
    ];
    return rowsByPlace(await database.run<BalanceRow>({ ...BALANCES, values }), asked.length);
  });
  return async (request) => {
    const rows = await rowsOf(request);
    if (rows.length === 0) throw new BankRefusal("account_unknown");
    return rows.flatMap((row) => {
      if (row.currency === null) throw new BankRefusal("currency_unknown");
      return balancesIn(row);
    });
  };
}

/** Available now, booked now, and booked when the last bank-local day ended (COBS 3.1.4). */
function balancesIn(row: LedgerRow): readonly Balance[] {
  const { currency, balance, now } = row;
  const overdraft = row.overdraft_limit ?? 0n;
  const available = { minor: balance + overdraft - row.blocked, currency };
  const creditLine = overdraft === 0n ? null : { included: true, amount: { minor: overdraft, currency } };
  const closing = { minor: row.balance_at_closing, currency };
  return [
    { type: "CLAV", amount: available, creditLine, at: now },
    { type: "ITBD", amount: { minor: balance, currency }, creditLine: null, at: now },
    { type: "PRCD", amount: closing, creditLine: null, at: row.closing_day },
  ];
}

const TODAY = `date_trunc('day', ${localTimeSql("now()")})`;

// Each account is looked up on its own, so that every plan uses the indexes.
const BALANCES = {
  name: "sandbox-balances-of",
  text: `SELECT place::int AS place, told.currency, balance, overdraft_limit, blocked, balance_at_closing,
      ${isoDateTimeSql("now()")} AS now, ${isoDateSql(`${TODAY} - interval '1 day'`)} AS closing_day
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (psu, account, wanted, place)
    CROSS JOIN LATERAL (SELECT account_id FROM sandbox_account_access
      WHERE psu_id = asked.psu AND account_id = asked.account LIMIT 1) AS access
    LEFT JOIN LATERAL (
      SELECT kept.currency, position, balance, overdraft_limit,
        (SELECT coalesce(-sum(amount), 0)::bigint FROM sandbox_pending AS pending
          WHERE pending.ledger_id = kept.ledger_id AND amount < 0) AS blocked,
        coalesce((SELECT balance_after FROM sandbox_entry AS entry
          WHERE entry.account_id = kept.ledger_id AND booked_at < ${TODAY} AT TIME ZONE 'Europe/Prague'
          ORDER BY booked_at DESC, seq DESC LIMIT 1), 0) AS balance_at_closing
      FROM sandbox_account_ledger AS kept
      LEFT JOIN sandbox_ledger AS ledger ON ledger.account_id = kept.ledger_id
      WHERE kept.account_id = access.account_id AND (wanted IS NULL OR kept.currency = wanted) OFFSET 0
    ) AS told ON true
    ORDER BY place, position`,
};
