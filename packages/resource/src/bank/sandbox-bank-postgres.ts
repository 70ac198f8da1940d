/**
 * The sandbox bank: a small double-entry ledger in PostgreSQL that stands in for a core system. It owns reading the
 * ledger; `seed-sandbox-bank-postgres.ts` fills it, `post-booking-postgres.ts` books, `sandbox-orders` executes orders to
 * pay, and `migrations/0001_sandbox-bank.sql` and `0003_ledger.sql` explain the tables.
 */
import {
  type Account,
  type AccountSortField,
  type Language,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parseIban,
} from "@cobs/cobs-model";
import type { Queries, Statement } from "@cobs/service-edge";
import type { AccountBank, AccountListRequest, Bank } from "./bank.ts";
import { balancesOf, currenciesOf } from "./sandbox-balances-postgres.ts";
import type { OrderDatabase } from "./sandbox-orders/accept-order-postgres.ts";
import { openSandboxOrders } from "./sandbox-orders/sandbox-orders-postgres.ts";
import { listTransactions } from "./sandbox-transactions-postgres.ts";

type AccountRow = Readonly<
  Record<
    | "account_id"
    | "iban"
    | "account_number"
    | "bank_code"
    | "country_code"
    | "bic"
    | "currency"
    | "name_cs"
    | "name_en"
    | "product_cs"
    | "product_en",
    string
  >
>;

/** The page is absent from the only row when it lies past the end. */
type PageRow = { readonly total: number } & (AccountRow | { readonly account_id: null });

const COLUMNS = `account_id, iban, account_number, bank_code, country_code, bic, currency,
  name_cs, name_en, product_cs, product_en`;

/** The only texts that a wish for an order can bring into a statement. */
const SORT_COLUMNS: Record<AccountSortField, Record<Language, string>> = {
  id: { cs: "account_id", en: "account_id" },
  iban: { cs: "iban", en: "iban" },
  currency: { cs: "currency", en: "currency" },
  nameI18N: { cs: "name_cs", en: "name_en" },
};

/**
 * Opens the sandbox bank on a database that is migrated. So many seconds after it was accepted a payment of today may be
 * booked, which `startSettlingOrders` does.
 */
export function openSandboxBank(database: OrderDatabase, settlementSeconds?: number): Bank {
  return { ...openSandboxAccounts(database), ...openSandboxOrders(database, settlementSeconds) };
}

/** The half of it that only reads. */
export function openSandboxAccounts(database: Queries): AccountBank {
  return {
    accountsOf: async (psu) => {
      const rows = await database.run<AccountRow>({ ...ACCOUNTS_OF, values: [psu] });
      return rows.map(accountOf);
    },
    listAccounts: async (request) => {
      const rows = await database.run<PageRow>(listStatement(request));
      return {
        entries: rows.flatMap((row) => (row.account_id === null ? [] : [accountOf(row)])),
        totalCount: rows[0]?.total ?? 0,
      };
    },
    currenciesOf: (of) => currenciesOf(database, of),
    balancesOf: (request) => balancesOf(database, request),
    listTransactions: (request) => listTransactions(database, request),
  };
}

const ACCOUNTS_OF = {
  name: "sandbox-accounts-of",
  text: `SELECT ${COLUMNS} FROM sandbox_account JOIN sandbox_account_access USING (account_id)
    WHERE psu_id = $1 ORDER BY account_id`,
};

function listStatement({ psu, accounts, query, language }: AccountListRequest): Statement {
  const keys = query.sort.map(({ field, direction }) => `${SORT_COLUMNS[field][language]} ${direction}`);
  const order = [...keys, "account_id"].join(", ");
  const offset = BigInt(query.page) * BigInt(query.size);
  return {
    // Rare orders stay unnamed, so that a caller cannot fill the server's memory with plans.
    name: keys.length > 1 ? "" : `sandbox-list-accounts ${order}`,
    text: `WITH covered AS (
        SELECT ${COLUMNS} FROM sandbox_account JOIN sandbox_account_access USING (account_id)
        WHERE psu_id = $1 AND account_id = ANY ($2::text[])
      ), page AS (
        SELECT *, row_number() OVER (ORDER BY ${order}) AS place FROM covered
        ORDER BY place LIMIT $3::bigint OFFSET $4::bigint
      )
      SELECT total, page.* FROM (SELECT count(*)::int AS total FROM covered) AS counted
      LEFT JOIN page ON true ORDER BY place`,
    values: [psu, accounts, query.size, offset],
  };
}

/** A row that does not parse is the bank's fault, never the caller's: it must not become a refusal. */
function accountOf(row: AccountRow): Account {
  try {
    return readAccount(row);
  } catch (cause) {
    throw new TypeError("the ledger holds an account that is not one", { cause });
  }
}

function readAccount(row: AccountRow): Account {
  return {
    id: parseAccountId(row.account_id),
    iban: parseIban(row.iban),
    number: parseCzechAccountNumber(row.account_number),
    currency: parseCurrencyCode(row.currency),
    servicer: { bankCode: row.bank_code, countryCode: row.country_code, bic: row.bic },
    names: { cs: row.name_cs, en: row.name_en },
    products: { cs: row.product_cs, en: row.product_en },
  };
}
