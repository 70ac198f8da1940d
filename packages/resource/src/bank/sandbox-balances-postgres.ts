import type { Balance, CurrencyCode } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { AccountOfPsu, BalanceRequest } from "./bank.ts";
import { BankRefusal } from "./bank-refusal.ts";
import { isoDateSql, isoDateTimeSql, localTimeSql } from "./bank-time-sql.ts";

/** Answers {@link Bank.currenciesOf}. */
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

type LedgerRow = {
  readonly currency: CurrencyCode;
  readonly balance: bigint;
  readonly overdraft_limit: bigint | null;
  /** What will be debited, above zero. */
  readonly blocked: bigint;
  readonly balance_at_closing: bigint;
  readonly now: string;
  readonly closing_day: string;
};

/** The only row of an account that is not kept in the currency has none. */
type BalanceRow = LedgerRow | { readonly currency: null };

/** Answers {@link Bank.balancesOf} with one statement: a few probes for each currency, however long its history. */
export async function balancesOf(
  database: Queries,
  { psu, account, currency }: BalanceRequest,
): Promise<readonly Balance[]> {
  const rows = await database.run<BalanceRow>({ ...BALANCES, values: [psu, account, currency ?? null] });
  if (rows.length === 0) throw new BankRefusal("account_unknown");
  return rows.flatMap((row) => {
    if (row.currency === null) throw new BankRefusal("currency_unknown");
    return balancesIn(row);
  });
}

/** Available now, booked now, and booked when the last bank-local day ended (COBS 9.6). */
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

const BALANCES = {
  name: "sandbox-balances-of",
  text: `SELECT kept.currency, balance, overdraft_limit, ${isoDateTimeSql("now()")} AS now,
      ${isoDateSql(`${TODAY} - interval '1 day'`)} AS closing_day,
      (SELECT coalesce(-sum(amount), 0)::bigint FROM sandbox_pending AS pending
        WHERE pending.ledger_id = kept.ledger_id AND amount < 0) AS blocked,
      coalesce((SELECT balance_after FROM sandbox_entry AS entry
        WHERE entry.account_id = kept.ledger_id AND booked_at < ${TODAY} AT TIME ZONE 'Europe/Prague'
        ORDER BY booked_at DESC, seq DESC LIMIT 1), 0) AS balance_at_closing
    FROM sandbox_account_access AS access
    LEFT JOIN sandbox_account_ledger AS kept ON kept.account_id = access.account_id
      AND ($3::text IS NULL OR kept.currency = $3::text)
    LEFT JOIN sandbox_ledger AS ledger ON ledger.account_id = kept.ledger_id
    WHERE access.psu_id = $1 AND access.account_id = $2 ORDER BY position`,
};
