import {
  type Fault,
  type Page,
  requireExistingPage,
  type StoredTransaction,
  type TransactionListQuery,
} from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import { type AccountInput, type AccountParts, answerAboutAccount } from "./answer-about-account.ts";
import { historyBoundOf, startOfRecentHistory } from "./history-bound.ts";

/** What a TPP wants of the history of an account; `now` is the moment for which its dates were read. */
export interface TransactionListInput extends AccountInput {
  readonly query: TransactionListQuery;
  readonly now: Date;
}

/** What histories are told with. */
export interface HistoryParts extends AccountParts {
  /** How long after a strong authentication older transactions are served. */
  readonly historyScaMinutes: number;
}

/**
 * One page of the history of an account (COBS 3.1.5): without `fromDate` that of the last 90 days. Refuses as
 * `answerAboutAccount`, with DT01 for what lies further back than the consent lets, and PAGE_NOT_FOUND past the end.
 */
export async function listTransactions(
  parts: HistoryParts,
  admission: PsuAdmission,
  input: TransactionListInput,
): Promise<Page<StoredTransaction>> {
  const { query, now } = input;
  const bound = historyBoundOf(now, admission.authenticatedAt, parts.historyScaMinutes);
  const { id, currency, unattended } = input;
  const faults = [...input.faults, ...faultsOfAge(input, bound)];
  const asked = { id, currency, faults, unattended };
  const question = { admission, resource: "transactions", input: asked } as const;
  const content = await answerAboutAccount(parts, question, ({ psu, account }) => {
    const { page, size, from = startOfRecentHistory(now), before, sort } = query;
    const request = { psu, account, currency, from, before, sort, page: { page, size } };
    // As they are kept, where the bank can: a page of a hundred is then written without being read.
    return parts.bank.listStoredTransactions?.(request) ?? parts.bank.listTransactions(request);
  });
  // Behind the access, so that asking for the next page again and again until something is booked is counted.
  return requireExistingPage(query, content);
}

/** What begins too early; or begins nowhere, and ends before the last 90 days. Of a refused date no more is told. */
function faultsOfAge({ query, faults, now }: TransactionListInput, bound: Date): readonly Fault[] {
  const { from, before } = query;
  const isGood = (name: string) => faults.every(({ path }) => path !== name);
  if (!isGood("fromDate")) return [];
  if (from !== undefined) return from < bound ? [NEEDS_AUTHENTICATION] : [];
  const endsTooEarly = isGood("toDate") && before !== undefined && before <= startOfRecentHistory(now);
  return endsTooEarly ? [tooOld("toDate", "is more than 90 days ago, and there is no fromDate")] : [];
}

function tooOld(path: string, what: string): Fault {
  return { code: "DT01", path, parameters: { DATE: "DATE_TO_OLD" }, message: `${path} ${what}` };
}

const NEEDS_AUTHENTICATION = tooOld(
  "fromDate",
  "is more than 90 days ago: the PSU must authenticate anew for this consent",
);
