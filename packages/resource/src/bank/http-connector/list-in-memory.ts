import type { Account, AccountSortField, Language, PageContent } from "@cobs/cobs-model";
import type { AccountListRequest } from "../bank.ts";

/**
 * One page of the accounts that a PSU and a consent have in common. A core system gives all accounts of a PSU at once, at most
 * a thousand.
 */
export function listInMemory(
  all: readonly Account[],
  { accounts, query, language }: Omit<AccountListRequest, "psu">,
): PageContent<Account> {
  const covered = new Set<string>(accounts);
  const compare = inOrderOf([...query.sort, { field: "id", direction: "asc" }], language);
  const found = all.filter(({ id }) => covered.has(id)).sort(compare);
  const first = query.page * query.size;
  return { entries: found.slice(first, first + query.size), totalCount: found.length };
}

function inOrderOf(keys: AccountListRequest["query"]["sort"], language: Language) {
  const collator = new Intl.Collator(language);
  return (one: Account, other: Account): number => {
    for (const { field, direction } of keys) {
      const order = compareBy(field, language, collator)(one, other);
      if (order !== 0) return direction === "asc" ? order : -order;
    }
    return 0;
  };
}

/**
 * Compares names by the alphabet of the language, and other fields by characters. An account without a name comes last, or
 * first in descending order.
 */
function compareBy(field: AccountSortField, language: Language, collator: Intl.Collator) {
  return (one: Account, other: Account): number => {
    if (field !== "nameI18N") return one[field] < other[field] ? -1 : Number(one[field] > other[field]);
    const [name, otherName] = [one.names?.[language], other.names?.[language]];
    if (name === undefined || otherName === undefined)
      return Number(name === undefined) - Number(otherName === undefined);
    return collator.compare(name, otherName);
  };
}
