import {
  type Account,
  type BankTerms,
  bankDayOf,
  findSpan,
  type Iban,
  type PageContent,
  type PsuId,
  type Transaction,
} from "@cobs/cobs-model";
import type { TransactionListRequest } from "../bank/bank.ts";
import { CoreUnavailable } from "../bank/core-unavailable.ts";
import { askAccounts, askTransactions } from "../bank/http-connector/core-questions.ts";
import { askTerms } from "../bank/http-connector/order-questions.ts";
import { NotShown, Shortcoming } from "./kit-check.ts";
import type { KitCore } from "./kit-core.ts";

/** Earlier than every booking. */
export const BEGINNING = new Date("1900-01-01T00:00:00Z");
/** Largest page that the contract allows. */
export const WHOLE_PAGE = 100;

/** How many of a PSU's accounts the kit looks at; there may be a thousand. */
export const LOOKED_AT_ACCOUNTS = 20;

const SETTLED_WITHIN_MILLISECONDS = 30_000;
const LATER_ORDERS_MILLISECONDS = 5_000;
const WANTED_TRANSACTIONS = 5;
const MAX_WALKED_PAGES = 20;

/** The account that is looked at closely, with its newest transactions: all of them, up to a limit. */
export interface KitHistory {
  readonly account: Account;
  readonly entries: readonly Transaction[];
  readonly totalCount: number;
}

/** What the checks share: the core system, its test PSUs, and what the first look found. */
export interface KitScene {
  readonly core: KitCore;
  readonly psu: PsuId;
  readonly otherPsu: PsuId | undefined;
  /** Payee of small amounts; without one nothing is ordered. */
  readonly payee: Iban | undefined;
  /** How long to wait for an accepted order. */
  readonly settledWithinMilliseconds: number;
  /** How long after acceptance an order for a later day is last looked at. */
  readonly laterOrdersMilliseconds: number;
  /** Payment ids of orders accepted for today or earlier whose end has not been seen yet. */
  readonly underWay: Set<string>;
  /** How each order ended that was seen to end, by its payment id. */
  readonly ended: Map<string, string>;
  accounts(): Promise<readonly Account[]>;
  terms(): Promise<BankTerms>;
  /**
   * Transactions of the account that has the fewest, but enough to show something; one with a blocked transaction goes first.
   */
  history(): Promise<KitHistory>;
  /** One page of an account's transactions; by default all, newest first. */
  list(account: Account, wanted?: Partial<TransactionListRequest>): Promise<PageContent<Transaction>>;
}

/** What the person who runs the kit provides. */
export type KitParts = Pick<KitScene, "core" | "psu" | "otherPsu" | "payee"> &
  Partial<Pick<KitScene, "settledWithinMilliseconds" | "laterOrdersMilliseconds">>;

/** Sets the scene. Nothing is asked before it is needed, and each thing only once. */
export function setScene(parts: KitParts): KitScene {
  const { core, psu } = parts;

  const accounts = once(() => core.ask(askAccounts(psu)));

  const terms = once(() => core.ask(askTerms()));

  const list: KitScene["list"] = ({ id: account }, wanted = {}) =>
    core.ask(askTransactions({ ...NEWEST, psu, account, ...wanted }));

  const history = once(async () => {
    const account = await chooseAccount(await accounts(), list);
    return walk(account, list);
  });

  const { settledWithinMilliseconds = SETTLED_WITHIN_MILLISECONDS } = parts;
  const { laterOrdersMilliseconds = LATER_ORDERS_MILLISECONDS } = parts;
  const waits = { settledWithinMilliseconds, laterOrdersMilliseconds };
  return { ...parts, ...waits, underWay: new Set(), ended: new Map(), accounts, terms, history, list };
}

/** Query for the newest transactions, as many as a page holds. */
export const NEWEST = {
  from: BEGINNING,
  before: undefined,
  currency: undefined,
  sort: [],
  page: { page: 0, size: WHOLE_PAGE },
} as const;

/**
 * Chooses the account with the fewest transactions. One with a blocked transaction is preferred, because that behaves
 * differently in sorting and spans.
 */
async function chooseAccount(accounts: readonly Account[], list: KitScene["list"]): Promise<Account> {
  const counted: { readonly account: Account; readonly count: number; readonly hasPending: boolean }[] = [];
  for (const account of accounts.slice(0, LOOKED_AT_ACCOUNTS)) {
    // Only as many as are wanted: a core system that counts the page instead of all would give a low total on a small one.
    const { totalCount: count, entries } = await list(account, {
      page: { page: 0, size: WANTED_TRANSACTIONS },
    });
    const hasPending = entries.some(({ status }) => status === "PDNG");
    if (count >= WANTED_TRANSACTIONS) counted.push({ account, count, hasPending });
  }
  const [best] = counted.sort(
    (one, other) => Number(other.hasPending) - Number(one.hasPending) || one.count - other.count,
  );
  if (best !== undefined) return best.account;
  throw new NotShown(
    `none of the first ${LOOKED_AT_ACCOUNTS} accounts has ${WANTED_TRANSACTIONS} transactions`,
  );
}

async function walk(account: Account, list: KitScene["list"]): Promise<KitHistory> {
  const entries: Transaction[] = [];
  let totalCount = 0;
  for (let page = 0; page < MAX_WALKED_PAGES; page += 1) {
    const content = await list(account, { page: { page, size: WHOLE_PAGE } });
    totalCount = content.totalCount;
    entries.push(...content.entries);
    if (content.entries.length < WHOLE_PAGE) break;
  }
  return { account, entries, totalCount };
}

/**
 * Looks once, so that every check that needs an answer reports a wrong one. If no answer came, the next check asks again.
 */
function once<T>(look: () => Promise<T>): () => Promise<T> {
  let seen: Promise<T> | undefined;
  const lookAnew = async () => {
    try {
      return await look();
    } catch (error) {
      if (isWithoutAnswer(error)) seen = undefined;
      throw error;
    }
  };
  return () => {
    seen ??= lookAnew();
    return seen;
  };
}

function isWithoutAnswer(error: unknown): boolean {
  return error instanceof CoreUnavailable && error.code !== "answer_malformed";
}

/** The account to pay; throws `NotShown` if none is named. */
export function requirePayee({ payee }: Pick<KitScene, "payee">): Iban {
  if (payee === undefined) throw new NotShown("give --payee IBAN to have small orders executed");
  return payee;
}

/** The first of `findForeignAccounts`. */
export async function findForeignAccount(scene: KitScene): Promise<Account> {
  const [first] = await findForeignAccounts(scene);
  return first;
}

/**
 * Accounts that only the other PSU has. Throws `NotShown` if no other PSU is named, and a `Shortcoming` if there are none.
 */
export async function findForeignAccounts({
  core,
  psu,
  otherPsu,
  accounts,
}: KitScene): Promise<readonly [Account, ...Account[]]> {
  if (otherPsu === undefined) throw new NotShown("needs a second PSU: --other-psu");
  const own = new Set((await accounts()).map(({ id }) => id));
  const [first, ...others] = (await core.ask(askAccounts(otherPsu))).filter(({ id }) => !own.has(id));
  if (first !== undefined) return [first, ...others];
  throw new Shortcoming(
    `${psu} gets every account of ${otherPsu} too: --other-psu must have an account that --psu does not have`,
  );
}

/** The bank-local day of a booking. */
export function dayOfBooking({ bookingDate }: Transaction): string {
  return bankDayOf(findSpan(bookingDate)?.from ?? BEGINNING);
}

/** A transaction as text, for comparing. */
export function comparable(entry: Transaction): string {
  return JSON.stringify(entry, (_name, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
