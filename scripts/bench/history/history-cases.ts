import type { AccountId } from "@cobs/cobs-model";
import type { TransactionListRequest } from "../../../packages/resource/src/bank/bank.ts";
import { ANNA } from "../../../test/resource/bank/test-ledgers.ts";
import { countSmallAccounts, HISTORY_MILLISECONDS, LARGE, smallAccount } from "./fill-ledger.ts";
import { ANY_BASELINE, BASELINE, type HistoryKind } from "./history-result.ts";

/** A request that is measured, built anew each time. */
export interface HistoryCase {
  readonly name: string;
  readonly kind: HistoryKind;
  /** Name of the baseline, if it is not the usual one. */
  readonly baseline?: string;
  readonly request: () => TransactionListRequest;
}

const SIZE = 100;
const DAY = 86_400_000;
const WINDOW = 90 * DAY;
const AGES_IN_DAYS = [0, 180, 360, 600];

/** The requests for a ledger of that many transactions, the last of them at `until`. */
export function historyCases(transactions: number, until: Date): readonly HistoryCase[] {
  const count = transactions / 10;
  return [
    ...firstPages(countSmallAccounts(transactions)),
    ...deepPages(Math.ceil(count / SIZE)),
    ...AGES_IN_DAYS.flatMap((age) => windowsOf(new Date(until.getTime() - age * DAY), { age, count })),
  ];
}

function firstPages(smallAccounts: number): readonly HistoryCase[] {
  const kind = "first-page";
  return [
    { name: BASELINE, kind, request: () => everythingOf(smallAccount(0)) },
    { name: ANY_BASELINE, kind, request: () => everythingOf(smallAccount(drawBelow(smallAccounts))) },
    { name: "large, first page", kind, request: () => everythingOf(LARGE) },
  ];
}

function deepPages(count: number): readonly HistoryCase[] {
  const pages: Readonly<Record<string, () => number>> = {
    "middle page": () => Math.floor(count / 2),
    "last page": () => count - 1,
    "any page": () => drawBelow(count),
    "far past the end": () => 10 ** 12,
  };
  return Object.entries(pages).map(([name, page]) => ({
    name: `large, ${name}`,
    kind: "deep-page",
    ...(name === "any page" ? { baseline: ANY_BASELINE } : {}),
    request: () => ({ ...everythingOf(LARGE), page: { page: page(), size: SIZE } }),
  }));
}

function drawBelow(count: number): number {
  return Math.floor(Math.random() * count);
}

function windowsOf(
  before: Date,
  { age, count }: { readonly age: number; readonly count: number },
): readonly HistoryCase[] {
  const from = new Date(before.getTime() - WINDOW);
  const last = Math.floor((count * WINDOW) / HISTORY_MILLISECONDS / SIZE) - 1;
  const pages = { first: 0, last: Math.max(last, 0) };
  return Object.entries(pages).map(([name, page]) => ({
    name: `large, 90 days until ${age} days ago, ${name} page`,
    kind: "date-window",
    request: () => ({ ...everythingOf(LARGE), from, before, page: { page, size: SIZE } }),
  }));
}

function everythingOf(account: AccountId): TransactionListRequest {
  return {
    psu: ANNA,
    account,
    currency: undefined,
    sort: [],
    from: new Date(0),
    before: undefined,
    page: { page: 0, size: SIZE },
  };
}
