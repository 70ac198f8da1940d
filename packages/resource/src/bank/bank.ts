/**
 * The port to the bank behind the resource server. It owns what the bank is asked. Who may ask is proven by the callers
 * (`admission`). `orders.ts` has the other half of the port: payment orders.
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
  TransactionSortField,
} from "@cobs/cobs-model";
import type { OrderBank } from "./orders.ts";

/** Which of a PSU's accounts to list: `accounts` are those of the consent, `language` decides how names are sorted. */
export type AccountListRequest = {
  readonly psu: PsuId;
  readonly accounts: readonly AccountId[];
  readonly query: AccountListQuery;
  readonly language: Language;
};

/** One account, asked for on behalf of a PSU. */
export type AccountOfPsu = { readonly psu: PsuId; readonly account: AccountId };

/** Which balances; without a currency, the balances in every currency of the account, its main one first. */
export type BalanceRequest = AccountOfPsu & { readonly currency: CurrencyCode | undefined };

/** Which transactions; without a currency, those in the account's main one. An empty `sort` means newest first. */
export type TransactionListRequest = AccountOfPsu & {
  readonly currency: CurrencyCode | undefined;
  /** Start of the span of booking, inclusive. */
  readonly from: Date;
  /** End of the span, exclusive; undefined leaves it open. */
  readonly before: Date | undefined;
  readonly sort: readonly Sort<TransactionSortField>[];
  readonly page: PageRequest;
};

/**
 * Reads accounts, their balances and transactions. Contract of every implementation: it tells only of accounts that the PSU
 * has access to at this moment. An id that is unknown and an id of somebody else's account get the same answer. Reads change
 * nothing and may run in parallel. A bank that cannot answer throws `CoreUnavailable`; it never gives a partial answer.
 */
export interface AccountBank {
  /** All accounts of the PSU in a stable order; empty when the bank does not know the PSU. */
  accountsOf(psu: PsuId): Promise<readonly Account[]>;

  /**
   * One page of the accounts that the PSU has and the request names, with their number on all pages. A page past the end is
   * empty, but the number is given. Without `sort` the accounts are ordered by id; equal keys are ordered by id.
   */
  listAccounts(request: AccountListRequest): Promise<PageContent<Account>>;

  /** The currencies that an account is kept in, its main one first. Refuses with `account_unknown`. */
  currenciesOf(of: AccountOfPsu): Promise<readonly CurrencyCode[]>;

  /** The balances of an account at this moment. Refuses with `account_unknown` or `currency_unknown`. */
  balancesOf(request: BalanceRequest): Promise<readonly Balance[]>;

  /**
   * One page of the transactions booked in a span of time, with their number on all pages. A bank that keeps details as text
   * gives the text, so that a page of a hundred is written without being parsed. Pending ones are included by the time they
   * were blocked. A page past the end is empty, but the number is given. Equal keys are in the order of booking.
   * Refuses with `account_unknown`, `currency_unknown` or `sort_too_large`.
   */
  listTransactions(request: TransactionListRequest): Promise<PageContent<StoredTransaction>>;
}

/** The whole bank. */
export interface Bank extends AccountBank, OrderBank {}
