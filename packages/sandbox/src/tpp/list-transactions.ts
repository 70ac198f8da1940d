import { type ApiAccess, callResource } from "./call-resource.ts";
import { presentToldAmount, type ToldAmount } from "./present-amount.ts";
import { presentTable } from "./present-table.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** What is asked of a history (COBS 3.1.5), as given on the command line. */
export interface TransactionListOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly currency?: string | undefined;
  readonly page?: string | undefined;
  readonly size?: string | undefined;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
  /** For `Accept-Language`. */
  readonly language?: string | undefined;
}

interface ToldDetails {
  readonly relatedParties?: {
    readonly debtor?: { readonly name?: string };
    readonly creditor?: { readonly name?: string };
  };
  readonly remittanceInformation?: { readonly unstructured?: string };
  readonly additionalTransactionInformation?: string;
}

/** One transaction as the API tells it. */
interface ToldTransaction extends ToldAmount {
  /** Of a payment that came through the API, its id. */
  readonly entryReference?: string | null;
  readonly status: string;
  readonly bookingDate: { readonly date: string };
  readonly entryDetails?: { readonly transactionDetails?: ToldDetails } | null;
}

/** A page of transactions as the API tells it. */
export interface TransactionList {
  readonly pageNumber: number;
  readonly pageCount: number;
  readonly totalCount?: number | null;
  readonly transactions: readonly ToldTransaction[];
}

/** Lists the transactions of an account with a token; refuses with `refused`, in the server's words. */
export async function listTransactions(
  access: ApiAccess,
  account: string,
  options: TransactionListOptions,
): Promise<TransactionList> {
  const { from: fromDate, to: toDate, currency, page, size, sort, order, language } = options;
  const path = `/my/accounts/${encodeURIComponent(account)}/transactions`;
  const query = { fromDate, toDate, currency, page, size, sort, order };
  const list = await callResource(access, { path, query, language });
  if (isTransactionList(list)) return list;
  throw new TppRefusal("refused", "the answer is no list of transactions");
}

/** The transactions as a table: when, how much, with whom or for what. */
export function presentTransactions(list: TransactionList): string {
  const rows = list.transactions.map((transaction) => [
    transaction.bookingDate.date.slice(0, 10),
    transaction.status === "PDNG" ? "pending" : "",
    presentToldAmount(transaction),
    counterpartyOf(transaction),
    transaction.entryDetails?.transactionDetails?.additionalTransactionInformation ?? "",
  ]);
  const count = list.totalCount ?? list.transactions.length;
  const all = `${count} ${count === 1 ? "transaction" : "transactions"} in all`;
  const page = `page ${list.pageNumber} of ${list.pageCount}, ${all}`;
  return `${presentTable([["date", "", "amount", "with, or where", "what"], ...rows])}\n\n  ${page}`;
}

function counterpartyOf({ creditDebitIndicator, entryDetails }: ToldTransaction): string {
  const { relatedParties, remittanceInformation } = entryDetails?.transactionDetails ?? {};
  const party = creditDebitIndicator === "DBIT" ? relatedParties?.creditor : relatedParties?.debtor;
  return party?.name ?? remittanceInformation?.unstructured ?? "";
}

function isTransactionList(value: unknown): value is TransactionList {
  return (
    typeof value === "object" &&
    value !== null &&
    "transactions" in value &&
    Array.isArray(value.transactions)
  );
}
