import type { Account, AccountId, Balance, CurrencyCode, PsuId, Transaction } from "@cobs/cobs-model";
import { askAccounts, askBalances, askTransactions } from "../bank/http-connector/core-questions.ts";
import { type KitScene, LOOKED_AT_ACCOUNTS, NEWEST } from "./kit-scene.ts";

/** What one account told at one moment in one of its currencies. */
export interface AccountBook {
  readonly account: Account;
  readonly currency: CurrencyCode;
  readonly entries: readonly Transaction[];
  /** What can be spent in it, in minor units; undefined where that is not told. */
  readonly available: bigint | undefined;
}

/** What accounts of the test PSUs tell at this moment: those of the first PSU, the paying one among them, and those of the other. */
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

/** All at once: very many one after the other would take long. */
async function readAll(asking: Asking, accounts: readonly Account[]): Promise<readonly AccountBook[]> {
  const books = (await Promise.all(accounts.map((account) => readBooksOf(asking, account)))).flat();
  // Each currency of an account may be listed as an account, and tell of the others too.
  const isTwice = ({ account: { id, iban }, currency }: AccountBook) =>
    books.some(
      ({ account, ...book }) => book.currency === currency && account.iban === iban && account.id !== id,
    );
  return books.filter((book) => isInMainCurrency(book) || !isTwice(book));
}

/** Those of one account, in each of its currencies. */
async function readBooksOf({ core, psu }: Asking, account: Account): Promise<readonly AccountBook[]> {
  const { id } = account;
  const balances = await core.ask(askBalances({ psu, account: id, currency: undefined }));
  const books: AccountBook[] = [];
  for (const currency of new Set(balances.map(({ amount }) => amount.currency))) {
    const { entries } = await core.ask(askTransactions({ ...NEWEST, psu, account: id, currency }));
    const told = balances.filter(({ amount }) => amount.currency === currency);
    // One line may be for all currencies.
    const alone = currency === account.currency ? told : told.filter(({ creditLine }) => creditLine === null);
    books.push({ account, currency, entries, available: availableIn(alone) });
  }
  return books;
}

/** Whether a book is that of the currency in which its account pays small orders of the kit. */
export function isInMainCurrency({ account, currency }: AccountBook): boolean {
  return account.currency === currency;
}

/** What an account tells to be there to spend, in minor units of its main currency; undefined where it does not. */
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

/** In which an account of a PSU tells balances, the main one first. */
export async function currenciesOf(
  { core, psu }: Asking,
  { id: account }: Account,
): Promise<ReadonlySet<CurrencyCode>> {
  const balances = await core.ask(askBalances({ psu, account, currency: undefined }));
  return new Set(balances.map(({ amount }) => amount.currency));
}
