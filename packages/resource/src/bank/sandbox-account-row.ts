import {
  type Account,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parseIban,
} from "@cobs/cobs-model";
import { LRUCache } from "lru-cache";

/** The columns of `sandbox_account`, each a text. */
export const ACCOUNT_COLUMNS = [
  "account_id",
  "iban",
  "account_number",
  "bank_code",
  "country_code",
  "bic",
  "currency",
  "name_cs",
  "name_en",
  "product_cs",
  "product_en",
] as const;

/** A row of `sandbox_account`. */
export type AccountRow = Readonly<Record<(typeof ACCOUNT_COLUMNS)[number], string>>;

const MAX_PROVEN_ACCOUNTS = 10_000;

/**
 * Creates a reader of rows as accounts. It caches each account until a text of its row changes, because checking the numbers
 * costs more than fetching the row.
 */
export function createAccountReader(): (row: AccountRow) => Account {
  const proven = new LRUCache<string, { readonly row: AccountRow; readonly account: Account }>({
    max: MAX_PROVEN_ACCOUNTS,
  });
  return (row) => {
    const known = proven.get(row.account_id);
    if (known !== undefined && isSame(known.row, row)) return known.account;
    const account = accountOf(row);
    proven.set(row.account_id, { row, account });
    return account;
  };
}

function isSame(one: AccountRow, other: AccountRow): boolean {
  return ACCOUNT_COLUMNS.every((column) => one[column] === other[column]);
}

/**
 * Throws a `TypeError` for a row that does not parse: that is the bank's fault, and must not become a refusal of the caller.
 */
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
