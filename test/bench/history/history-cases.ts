import type { AccountId } from "@cobs/cobs-model";
import type { TransactionListRequest } from "../../../packages/resource/src/bank/bank.ts";
import { ANNA } from "../../resource/bank/test-ledgers.ts";
import { HISTORY_MILLISECONDS, LARGE, SMALL } from "./fill-ledger.ts";
import { BASELINE, type HistoryKind } from "./history-result.ts";

/** A request that is measured, made anew each time. */
export interface HistoryCase {
  readonly name: string;
  readonly kind: HistoryKind;
  readonly request: () => TransactionListRequest;
}

const SIZE = 100;
const DAY = 86_400_000;
const WINDOW = 90 * DAY;
const AGES_IN_DAYS = [0, 180, 360, 600];

/** The requests for a ledger of so many transactions that ends at an instant; the first is the baseline. */
export function historyCases(transactions: number, until: Date): readonly HistoryCase[] {
  const count = transactions / 10;
  const pages = Math.ceil(count / SIZE);
  const pageOf = (page: number) => ({ ...everythingOf(LARGE), page: { page, size: SIZE } });
  const deepPages: Readonly<Record<string, () => number>> = {
    "middle page": () => Math.floor(pages / 2),
    "last page": () => pages - 1,
    "any page": () => Math.floor(Math.random() * pages),
    "far past the end": () => 10 ** 12,
  };
  return [
    { name: BASELINE, kind: "first-page", request: () => everythingOf(SMALL) },
    { name: "large, first page", kind: "first-page", request: () => everythingOf(LARGE) },
    ...Object.entries(deepPages).map(([name, page]) => ({
      ...{ name: `large, ${name}`, kind: "deep-page" as const },
      request: () => pageOf(page()),
    })),
    ...AGES_IN_DAYS.flatMap((age) => windowsOf(new Date(until.getTime() - age * DAY), { age, count })),
  ];
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
    ...{ psu: ANNA, account, currency: undefined, sort: [] },
    ...{ from: new Date(0), before: undefined, page: { page: 0, size: SIZE } },
  };
}
