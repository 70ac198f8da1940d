/**
 * The questions of the contract with a core system: the path of each, the refusals that it may get, and how its answer is
 * read.
 */
import type { Account, Balance, CurrencyCode, PageContent, PsuId, Transaction } from "@cobs/cobs-model";
import type { BalanceRequest, TransactionListRequest } from "../bank.ts";
import { type BankRefusalCode, isOrderOfBooking } from "../bank-refusal.ts";
import { parseAccounts } from "./parse-accounts.ts";
import { parseBalances } from "./parse-balances.ts";
import { parseTransactions } from "./parse-transactions.ts";

/** Kinds of question, as circuits, metrics and the log name them. */
export const CORE_OPERATIONS = [
  "accounts",
  "balances",
  "transactions",
  "terms",
  "order-inspection",
  "order",
  "order-progress",
  "funds-check",
] as const;

/** One of {@link CORE_OPERATIONS}. */
export type CoreOperation = (typeof CORE_OPERATIONS)[number];

/** A body and its method: POST asks and changes nothing, PUT hands over an order. */
export interface CoreSending {
  readonly method: "POST" | "PUT";
  readonly json: object;
}

/** Whom and what a question is about, under the names that its answer must repeat. */
export type AskedAbout = Readonly<Partial<Record<"psuId" | "accountId" | "iban" | "paymentId", string>>>;

/** One question of the contract. */
export interface CoreQuestion<T> {
  readonly operation: CoreOperation;
  /** With its query, already escaped. */
  readonly path: string;
  /** Undefined sends a GET. */
  readonly sends?: CoreSending;
  readonly about: AskedAbout;
  /**
   * Whose accounts may be why it fails: the PSU, or the payment where the PSU is not known. Not the TPP, because one that asks
   * for many PSUs would be stopped by the slow account of one. Undefined if the question is about nobody.
   */
  readonly party?: string;
  /** False if its end counts in no circuit, because other questions must not be refused for it; open circuits refuse it too. */
  readonly counts?: boolean;
  readonly refusals: readonly BankRefusalCode[];
  /** Reads the JSON of a 200 that names what was asked about; throwing means that the answer cannot be believed. */
  readonly parse: (answer: unknown) => T;
}

/** All accounts of a PSU. */
export function askAccounts(psu: PsuId): CoreQuestion<readonly Account[]> {
  return {
    operation: "accounts",
    path: `/psus/${encodeURIComponent(psu)}/accounts`,
    about: { psuId: psu },
    party: psu,
    refusals: [],
    parse: parseAccounts,
  };
}

/** The balances of an account. */
export function askBalances(wanted: BalanceRequest): CoreQuestion<readonly Balance[]> {
  const { currency } = wanted;
  return {
    operation: "balances",
    path: withQuery(`${pathOfAccount(wanted)}/balances`, { currency }),
    about: { psuId: wanted.psu, accountId: wanted.account },
    party: wanted.psu,
    refusals: ["account_unknown", ...refusalsOfCurrency(currency)],
    parse: (answer) => parseBalances(answer, currency),
  };
}

/** One page of an account's transactions. */
export function askTransactions(wanted: TransactionListRequest): CoreQuestion<PageContent<Transaction>> {
  const { from, before, currency, page, sort } = wanted;
  const query = {
    from: from.toISOString(),
    before: before?.toISOString(),
    currency,
    page: String(page.page),
    size: String(page.size),
    sort: sort.map(({ field, direction }) => `${field}:${direction}`).join(",") || undefined,
  };
  return {
    operation: "transactions",
    path: withQuery(`${pathOfAccount(wanted)}/transactions`, query),
    about: { psuId: wanted.psu, accountId: wanted.account },
    party: wanted.psu,
    refusals: ["account_unknown", ...refusalsOfCurrency(currency), ...refusalsOfOrder(sort)],
    parse: (answer) => parseTransactions(answer, wanted),
  };
}

/** A question that names no currency cannot be refused for a wrong one. */
function refusalsOfCurrency(currency: CurrencyCode | undefined): readonly BankRefusalCode[] {
  return currency === undefined ? [] : ["currency_unknown"];
}

function refusalsOfOrder(sort: TransactionListRequest["sort"]): readonly BankRefusalCode[] {
  return isOrderOfBooking(sort) ? [] : ["sort_too_large"];
}

function pathOfAccount({ psu, account }: BalanceRequest | TransactionListRequest): string {
  return `/psus/${encodeURIComponent(psu)}/accounts/${encodeURIComponent(account)}`;
}

function withQuery(path: string, members: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
