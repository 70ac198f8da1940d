import type { Language } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";
import { writeTicks } from "../forms/ticks.ts";
import {
  type AccountGroup,
  type AccountLine,
  type AccountMarks,
  accountLines,
  groupAccounts,
} from "./account-groups.ts";

/** The accounts that the PSU wants to see. */
export interface AccountListFilter {
  /** Words that must all occur; empty for no search. */
  readonly query: string;
  /** Only ticked accounts. */
  readonly onlyTicked: boolean;
  /** Counted from 1; a number beyond the last page means the last. */
  readonly page: number;
}

/** The whole list from its beginning. */
export const WHOLE_LIST: AccountListFilter = { query: "", onlyTicked: false, page: 1 };

/** The accounts on one page, and what the page keeps of the others. */
export interface AccountList extends AccountListFilter {
  readonly isSearchable: boolean;
  readonly groups: readonly AccountGroup[];
  readonly found: number;
  readonly pages: number;
  readonly tickedCount: number;
  /** The names of accounts that are ticked and not on this page, the first few of them. */
  readonly elsewhere: readonly string[];
  readonly elsewhereMore: number;
  /** All ticked accounts that are not on this page, for the form to bring back. */
  readonly kept: string;
}

const MOST_WITHOUT_SEARCH = 10;
/** A page of this many accounts stays under 60 kB. */
const PAGE_ACCOUNTS = 50;
const NAMED_ELSEWHERE = 10;

/** Cuts the list to one page of what matches. Ticked accounts on other pages are named, and stay ticked. */
export function listAccounts(
  { accounts, ...marks }: AccountMarks & { readonly accounts: readonly PsuAccount[] },
  filter: AccountListFilter,
  language: Language,
): AccountList {
  const lines = accountLines(accounts, marks, language);
  const matches = lines.filter((line) => (!filter.onlyTicked || line.ticked) && isFound(line, filter.query));
  const pages = Math.max(1, Math.ceil(matches.length / PAGE_ACCOUNTS));
  const page = Math.min(filter.page, pages);
  const here = matches.slice((page - 1) * PAGE_ACCOUNTS, page * PAGE_ACCOUNTS);
  const hereIds = new Set(here.map(({ id }) => id));
  const elsewhere = lines.filter(({ id, ticked }) => ticked && !hereIds.has(id));
  return {
    ...filter,
    page,
    pages,
    isSearchable: accounts.length > MOST_WITHOUT_SEARCH,
    groups: groupAccounts(here),
    found: matches.length,
    tickedCount: lines.filter(({ ticked }) => ticked).length,
    elsewhere: elsewhere.slice(0, NAMED_ELSEWHERE).map(({ name }) => name),
    elsewhereMore: Math.max(0, elsewhere.length - NAMED_ELSEWHERE),
    kept: writeTicks(
      accounts.map(({ id }) => id),
      new Set(elsewhere.map(({ id }) => id)),
    ),
  };
}

/** Whether every word occurs somewhere in the line, regardless of case and accents. */
function isFound(line: AccountLine, query: string): boolean {
  if (query === "") return true;
  const { name, product, number, iban, currency } = line;
  const text = plain([name, product, number, iban, iban.replaceAll(" ", ""), currency].join(" "));
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
