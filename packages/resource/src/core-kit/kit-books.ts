import type { Account, AccountId, CurrencyCode, PsuId, Transaction } from "@cobs/cobs-model";
import { askAccounts, askBalances, askTransactions } from "../bank/http-connector/core-questions.ts";
import { type KitScene, NEWEST } from "./kit-scene.ts";

/** What one account told at one moment. */
export interface AccountBook {
  readonly account: Account;
  readonly entries: readonly Transaction[];
  /** What can be spent in its main currency, in minor units; undefined where it does not tell it. */
  readonly available: bigint | undefined;
}

/** So many accounts of each PSU are looked at, beside those that pay and are paid. */
const LOOKED_AT = 3;

/** What accounts of the test PSUs tell at this moment: those of the first PSU, the paying one among them, and those of the other. */
export async function readBooks(scene: KitScene, paying: AccountId): Promise<readonly AccountBook[]> {
  const { core, psu, otherPsu, payee } = scene;
  const lookedAt = (accounts: readonly Account[]) =>
    accounts.filter(({ id, iban }, place) => place < LOOKED_AT || id === paying || iban === payee);
  const own = await scene.accounts();
  const books: AccountBook[] = [];
  for (const account of lookedAt(own)) books.push(await readBook(scene, psu, account));
  if (otherPsu === undefined) return books;
  const known = new Set(own.map(({ id }) => id));
  const foreign = (await core.ask(askAccounts(otherPsu))).filter(({ id }) => !known.has(id));
  for (const account of lookedAt(foreign)) books.push(await readBook(scene, otherPsu, account));
  return books;
}

async function readBook({ core }: KitScene, psu: PsuId, account: Account): Promise<AccountBook> {
  const of = { ...NEWEST, psu, account: account.id };
  const { entries } = await core.ask(askTransactions(of));
  return { account, entries, available: await findAvailable({ core }, psu, account) };
}

/** What an account tells to be there to spend, in minor units of its main currency; undefined where it does not. */
export async function findAvailable(
  { core }: Pick<KitScene, "core">,
  psu: PsuId,
  { id: account, currency }: Account,
): Promise<bigint | undefined> {
  const balances = await core.ask(askBalances({ psu, account, currency }));
  return balances.find(({ type, creditLine }) => type === "CLAV" && creditLine?.included !== false)?.amount
    .minor;
}

/** In which an account of a PSU tells balances, the main one first. */
export async function currenciesOf(
  { core, psu }: Pick<KitScene, "core" | "psu">,
  { id: account }: Account,
): Promise<ReadonlySet<CurrencyCode>> {
  const balances = await core.ask(askBalances({ psu, account, currency: undefined }));
  return new Set(balances.map(({ amount }) => amount.currency));
}
