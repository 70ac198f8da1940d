/**
 * The bank behind the resource server, as a port. It owns what the bank is asked, and nothing about who may ask: the
 * callers have proven that (`admission`). Balances, transactions and orders join here as further methods.
 */
import type { Account, AccountId, AccountListQuery, Language, PageContent, PsuId } from "@cobs/cobs-model";

/** What is wanted of a PSU's accounts; `accounts` are those of the consent, `language` decides the order of names. */
export type AccountListRequest = {
  readonly psu: PsuId;
  readonly accounts: readonly AccountId[];
  readonly query: AccountListQuery;
  readonly language: Language;
};

/**
 * Contract of every implementation: only accounts that the PSU has access to at this moment are ever told, and ids
 * that are unknown or another's look as if they did not exist. Reads change nothing and may run at any time in
 * parallel. A bank that cannot answer throws; it never answers with less.
 */
export interface Bank {
  /** All accounts of the PSU in a stable order; empty when the bank does not know the PSU. */
  accountsOf(psu: PsuId): Promise<readonly Account[]>;

  /**
   * One page of those accounts that the PSU and the request have in common, with their number on all pages. A page
   * past the end is empty, and counted all the same. Without a wish the order is that of the ids; equal keys are
   * ordered by id.
   */
  listAccounts(request: AccountListRequest): Promise<PageContent<Account>>;
}
