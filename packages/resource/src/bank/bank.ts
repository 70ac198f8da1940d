/**
 * The bank behind the resource server, as a port. It owns what the bank is asked, and nothing about who may ask: the
 * callers have proven that (`admission`). Orders to pay are the half of it in `orders.ts`.
 */
import type {
  Account,
  AccountId,
  AccountListQuery,
  Balance,
  CurrencyCode,
  Language,
  PageContent,
  PageRequest,
  PsuId,
  Sort,
  StoredTransaction,
  Transaction,
  TransactionSortField,
} from "@cobs/cobs-model";
import type { OrderBank } from "./orders.ts";

/** What is wanted of a PSU's accounts; `accounts` are those of the consent, `language` decides the order of names. */
export type AccountListRequest = {
  readonly psu: PsuId;
  readonly accounts: readonly AccountId[];
  readonly query: AccountListQuery;
  readonly language: Language;
};

/** One account, asked for on behalf of a PSU. */
export type AccountOfPsu = { readonly psu: PsuId; readonly account: AccountId };

/** Which balances: without a currency those of all currencies of the account, its main one first. */
export type BalanceRequest = AccountOfPsu & { readonly currency: CurrencyCode | undefined };

/** Which transactions: without a currency those in the main one; an empty `sort` is the newest first. */
export type TransactionListRequest = AccountOfPsu & {
  readonly currency: CurrencyCode | undefined;
  /** The first instant of booking that counts. */
  readonly from: Date;
  /** The first that does not count any more; undefined counts everything since. */
  readonly before: Date | undefined;
  readonly sort: readonly Sort<TransactionSortField>[];
  readonly page: PageRequest;
};

/**
 * Accounts, and what happened on them. Contract of every implementation: only accounts that the PSU has access to at this
 * moment are ever told, and ids that are unknown or another's look as if they did not exist. Reads change nothing and may
 * run at any time in parallel. A bank that cannot answer throws `CoreUnavailable`; it never answers with less.
 */
export interface AccountBank {
  /** All accounts of the PSU in a stable order; empty when the bank does not know the PSU. */
  accountsOf(psu: PsuId): Promise<readonly Account[]>;

  /**
   * One page of those accounts that the PSU and the request have in common, with their number on all pages. A page
   * past the end is empty, and counted all the same. Without `sort` the order is that of the ids; equal keys are
   * ordered by id.
   */
  listAccounts(request: AccountListRequest): Promise<PageContent<Account>>;

  /** The currencies that an account is kept in, its main one first. Refuses with `account_unknown`. */
  currenciesOf(of: AccountOfPsu): Promise<readonly CurrencyCode[]>;

  /** The balances of an account at this moment. Refuses with `account_unknown` or `currency_unknown`. */
  balancesOf(request: BalanceRequest): Promise<readonly Balance[]>;

  /**
   * One page of the transactions booked in a span of time, pending ones (by the time they were blocked) among them, with
   * their number on all pages. A page past the end is empty, and counted all the same. Equal keys are in the order of
   * booking. Refuses with `account_unknown`, `currency_unknown` or `sort_too_large`.
   */
  listTransactions(request: TransactionListRequest): Promise<PageContent<Transaction>>;

  /** The same as the bank keeps them; only of a bank that keeps details as text. */
  listStoredTransactions?(request: TransactionListRequest): Promise<PageContent<StoredTransaction>>;
}

/** A bank as a whole. */
export interface Bank extends AccountBank, OrderBank {}
