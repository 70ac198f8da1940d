import type { AccountSortField, Language, PsuId } from "@cobs/cobs-model";
import { gather, type PlacedRow, type Queries } from "@cobs/service-edge";
import type { AccountBank, AccountListRequest } from "./bank.ts";
import { rowsByPlace } from "./rows-by-place.ts";
import { ACCOUNT_COLUMNS, type AccountRow, createAccountReader } from "./sandbox-account-row.ts";

/** A row of a page. A page past the end has one row, `is_on_page` false, that carries the total. */
type ListedRow = AccountRow & PlacedRow & { readonly total: number; readonly is_on_page: boolean };

const COLUMNS = ACCOUNT_COLUMNS.join(", ");

/** The only texts that a requested order can bring into a statement. Names sort by the alphabet of their language. */
const SORT_COLUMNS: Record<AccountSortField, Record<Language, string>> = {
  id: { cs: "account_id", en: "account_id" },
  iban: { cs: "iban", en: "iban" },
  currency: { cs: "currency", en: "currency" },
  nameI18N: { cs: 'name_cs COLLATE "cs-x-icu"', en: 'name_en COLLATE "en-x-icu"' },
};

const ACCOUNTS_OF = {
  name: "sandbox-accounts-of",
  text: `SELECT ${COLUMNS} FROM sandbox_account JOIN sandbox_account_access USING (account_id)
    WHERE psu_id = $1 ORDER BY account_id`,
};

/** Implements the lists of accounts of {@link AccountBank}. */
export function openAccountLists(database: Queries): Pick<AccountBank, "accountsOf" | "listAccounts"> {
  const accountOf = createAccountReader();
  const rowsOf = findTogether(database);
  return {
    accountsOf: async (psu: PsuId) => {
      const rows = await database.run<AccountRow>({ ...ACCOUNTS_OF, values: [psu] });
      return rows.map(accountOf);
    },
    listAccounts: async (request) => {
      const rows = await rowsOf(request);
      return {
        entries: rows.filter((row) => row.is_on_page).map(accountOf),
        totalCount: rows[0]?.total ?? 0,
      };
    },
  };
}

/** Answers requests that arrive together for the same order with one statement. */
function findTogether(database: Queries): (request: AccountListRequest) => Promise<readonly ListedRow[]> {
  const inOrder = new Map<string, (request: AccountListRequest) => Promise<readonly ListedRow[]>>();

  function rowsInOrder(order: string) {
    const known = inOrder.get(order);
    if (known !== undefined) return known;
    // PostgreSQL limits names to 63 bytes.
    const name = `sandbox-accounts ${order}`;
    const made = gather((asked: readonly AccountListRequest[]) => rowsFor(database, { name, order }, asked));
    inOrder.set(order, made);
    return made;
  }

  return async (request) => {
    const keys = orderOf(request);
    const order = [...keys, "account_id"].join(", ");
    if (keys.length <= 1) return rowsInOrder(order)(request);
    // Rare orders stay unnamed and are not cached, so that a caller cannot fill the memory with them.
    return (await rowsFor(database, { name: "", order }, [request])).flat();
  };
}

function orderOf({ query, language }: AccountListRequest): readonly string[] {
  return query.sort.map(({ field, direction }) => `${SORT_COLUMNS[field][language]} ${direction}`);
}

async function rowsFor(
  database: Queries,
  { name, order }: { readonly name: string; readonly order: string },
  asked: readonly AccountListRequest[],
): Promise<readonly (readonly ListedRow[])[]> {
  const values = [
    asked.map(({ psu }) => psu),
    asked.map(({ accounts }) => JSON.stringify(accounts)),
    asked.map(({ query }) => query.size),
    asked.map(({ query }) => String(BigInt(query.page) * BigInt(query.size))),
  ];
  const rows = await database.run<ListedRow>({ name, text: listText(order), values });
  return rowsByPlace(rows, asked.length);
}

// Each list is counted and cut on its own, so that every plan uses the index of a PSU's accounts.
function listText(order: string): string {
  return `SELECT place::int AS place, total, nth > skipped AS is_on_page, ${COLUMNS}
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
      WITH ORDINALITY AS asked (psu, consented, size, skipped, place)
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS}, count(*) OVER ()::int AS total, row_number() OVER (ORDER BY ${order}) AS nth
      FROM sandbox_account_access AS access JOIN sandbox_account USING (account_id)
      WHERE psu_id = asked.psu
        AND access.account_id = ANY (ARRAY(SELECT json_array_elements_text(asked.consented::json)))
    ) AS covered
    WHERE nth > skipped AND nth <= skipped + size OR nth = 1 AND skipped >= total
    ORDER BY place, nth`;
}
