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

/** What the ledger holds of an account. */
export type AccountRow = Readonly<Record<(typeof ACCOUNT_COLUMNS)[number], string>>;

const MAX_PROVEN_ACCOUNTS = 10_000;

/**
 * Reads rows as accounts. What was proven of a row holds as long as it has the same texts: then its account is given again,
 * since to prove its numbers costs more than to fetch it.
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
