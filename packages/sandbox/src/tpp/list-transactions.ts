import { presentTable } from "../terminal/present-table.ts";
import type { ApiAccess } from "./call-resource.ts";
import { presentToldAmount, type ToldAmount } from "./present-amount.ts";
import { callForList, type PageOptions, presentPage, type ToldPage } from "./told-list.ts";

/** Options for a history (COBS 3.1.5), as on the command line. */
export interface TransactionListOptions extends PageOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly currency?: string | undefined;
}

interface ToldDetails {
  readonly relatedParties?: {
    readonly debtor?: { readonly name?: string };
    readonly creditor?: { readonly name?: string };
  };
  readonly remittanceInformation?: { readonly unstructured?: string };
  readonly additionalTransactionInformation?: string;
}

/** One transaction in the API's list. */
interface ToldTransaction extends ToldAmount {
  /** The payment id, if the payment came through the API. */
  readonly entryReference?: string | null;
  readonly status: string;
  readonly bookingDate: { readonly date: string };
  readonly entryDetails?: { readonly transactionDetails?: ToldDetails } | null;
}

/** A page of transactions from the API. */
export interface TransactionList extends ToldPage {
  readonly transactions: readonly ToldTransaction[];
}

/** Lists the transactions of an account with a token; refuses with `refused`, in the server's words. */
export function listTransactions(
  access: ApiAccess,
  account: string,
  options: TransactionListOptions,
): Promise<TransactionList> {
  const { from: fromDate, to: toDate, currency, page, size, sort, order, language } = options;
  const path = `/my/accounts/${encodeURIComponent(account)}/transactions`;
  const query = { fromDate, toDate, currency, page, size, sort, order };
  return callForList(access, { path, query, language }, "transactions");
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
  const page = presentPage(list, list.transactions.length, "transaction");
  return `${presentTable([["date", "", "amount", "with, or where", "what"], ...rows])}\n\n  ${page}`;
}

function counterpartyOf({ creditDebitIndicator, entryDetails }: ToldTransaction): string {
  const { relatedParties, remittanceInformation } = entryDetails?.transactionDetails ?? {};
  const party = creditDebitIndicator === "DBIT" ? relatedParties?.creditor : relatedParties?.debtor;
  return party?.name ?? remittanceInformation?.unstructured ?? "";
}
