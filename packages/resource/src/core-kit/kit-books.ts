import type { Account, AccountId, Balance, CurrencyCode, PsuId, Transaction } from "@cobs/cobs-model";
import { askAccounts, askBalances, askTransactions } from "../bank/http-connector/core-questions.ts";
import { type KitScene, LOOKED_AT_ACCOUNTS, NEWEST } from "./kit-scene.ts";

/** What one account showed at one moment in one of its currencies. */
export interface AccountBook {
  readonly account: Account;
  readonly currency: CurrencyCode;
  readonly entries: readonly Transaction[];
  /** Available balance in minor units; undefined if not given. */
  readonly available: bigint | undefined;
}

/**
 * Reads the books of the test PSUs' accounts at this moment: those of the first PSU, with the one that pays, and those of the
 * other.
 */
export async function readBooks(scene: KitScene, paying: AccountId): Promise<readonly AccountBook[]> {
  const { core, psu, otherPsu, payee } = scene;
  const lookedAt = (accounts: readonly Account[]) =>
    accounts.filter(({ id, iban }, place) => place < LOOKED_AT_ACCOUNTS || id === paying || iban === payee);
  const own = await scene.accounts();
  const books = await readAll({ core, psu }, lookedAt(own));
  if (otherPsu === undefined) return books;
  const known = new Set(own.map(({ id }) => id));
  const foreign = (await core.ask(askAccounts(otherPsu))).filter(({ id }) => !known.has(id));
  return [...books, ...(await readAll({ core, psu: otherPsu }, lookedAt(foreign)))];
}

type Asking = Pick<KitScene, "core" | "psu">;

/** Reads all accounts in parallel, because many in sequence would take long. */
async function readAll(asking: Asking, accounts: readonly Account[]): Promise<readonly AccountBook[]> {
  const books = (await Promise.all(accounts.map((account) => readBooksOf(asking, account)))).flat();
  // Each currency may be listed as its own account, which may also show the other currencies.
  const isTwice = ({ account: { id, iban }, currency }: AccountBook) =>
    books.some(
      ({ account, ...book }) => book.currency === currency && account.iban === iban && account.id !== id,
    );
  return books.filter((book) => isInMainCurrency(book) || !isTwice(book));
}

/** Reads the books of one account, one per currency. */
async function readBooksOf({ core, psu }: Asking, account: Account): Promise<readonly AccountBook[]> {
  const { id } = account;
  const balances = await core.ask(askBalances({ psu, account: id, currency: undefined }));
  const books: AccountBook[] = [];
  for (const currency of new Set(balances.map(({ amount }) => amount.currency))) {
    const { entries } = await core.ask(askTransactions({ ...NEWEST, psu, account: id, currency }));
    const told = balances.filter(({ amount }) => amount.currency === currency);
    // A credit line may be shared by all currencies.
    const alone = currency === account.currency ? told : told.filter(({ creditLine }) => creditLine === null);
    books.push({ account, currency, entries, available: availableIn(alone) });
  }
  return books;
}

/** Whether a book is in the main currency of its account, in which the kit's small orders are paid. */
export function isInMainCurrency({ account, currency }: AccountBook): boolean {
  return account.currency === currency;
}

/** The available balance of an account in minor units of its main currency; undefined if not given. */
export async function findAvailable(
  { core }: Pick<KitScene, "core">,
  psu: PsuId,
  { id: account, currency }: Account,
): Promise<bigint | undefined> {
  return availableIn(await core.ask(askBalances({ psu, account, currency })));
}

function availableIn(balances: readonly Balance[]): bigint | undefined {
  return balances.find(({ type, creditLine }) => type === "CLAV" && creditLine?.included !== false)?.amount
    .minor;
}

/** Currencies of an account's balances, the main one first. */
export async function currenciesOf(
  { core, psu }: Asking,
  { id: account }: Account,
): Promise<ReadonlySet<CurrencyCode>> {
  const balances = await core.ask(askBalances({ psu, account, currency: undefined }));
  return new Set(balances.map(({ amount }) => amount.currency));
}
