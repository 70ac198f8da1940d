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

/** What a TPP asks about the history of an account; `now` is the time for which its dates were read. */
export interface TransactionListInput extends AccountInput {
  readonly query: TransactionListQuery;
  readonly now: Date;
}

/** Dependencies of reading a history. */
export interface HistoryParts extends AccountParts {
  /** Minutes after a strong authentication during which older transactions are served. */
  readonly historyScaMinutes: number;
}

/**
 * Reads one page of an account's history (COBS 3.1.5); without `fromDate`, of the last 90 days. Refuses as
 * `answerAboutAccount` does, with DT01 for dates further back than the consent allows, and with PAGE_NOT_FOUND past the end
 * (A-07).
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
    return parts.bank.listTransactions(request);
  });
  // After the access, so that asking for the next page over and over until something is booked is counted.
  return requireExistingPage(query, content);
}

/**
 * Finds dates too far back: a `fromDate` before the bound, or without `fromDate`, a `toDate` before the last 90 days. A date
 * that is already refused gets no further fault.
 */
function faultsOfAge({ query, faults, now }: TransactionListInput, bound: Date): readonly Fault[] {
  const { from, before } = query;
  const isGood = (name: string) => faults.every(({ path }) => path !== name);
  if (!isGood("fromDate")) return [];
  if (from !== undefined) return from < bound ? [NEEDS_AUTHENTICATION] : [];
  const endsTooEarly = isGood("toDate") && before !== undefined && before <= startOfRecentHistory(now);
  return endsTooEarly ? [tooOld("toDate", "is more than 90 days ago, which requires fromDate")] : [];
}

function tooOld(path: string, what: string): Fault {
  return { code: "DT01", path, parameters: { DATE: "DATE_TO_OLD" }, message: `${path} ${what}` };
}

const NEEDS_AUTHENTICATION = tooOld(
  "fromDate",
  "is more than 90 days ago: the PSU must authenticate again for this consent",
);
