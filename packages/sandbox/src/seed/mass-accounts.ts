import { type Account, type AccountId, type CurrencyCode, type Iban, makeCzechIban } from "@cobs/cobs-model";
import { DEMO_SERVICER, drawAccountNumber } from "../bank/account-numbers.ts";
import type { DemoCurrency } from "../bank/account-plan.ts";
import { withoutDiacritics } from "../bank/demo-party.ts";
import { drawMaskedCard, openAccount } from "../bank/open-accounts.ts";
import { openRandom, pickOne, type Random } from "../bank/random.ts";
import type { SeedOrder } from "./seed-order.ts";

/** One account, the number of its transactions, and what their details say of it. */
export type MassAccount = {
  readonly account: Account;
  readonly id: AccountId;
  readonly currency: CurrencyCode;
  readonly demoCurrency: DemoCurrency;
  readonly transactions: number;
  readonly holder: string;
  /** The holder without diacritics. */
  readonly plainHolder: string;
  readonly maskedCard: string;
};

const FIRST_NAMES = ["Adam", "Barbora", "Cyril", "Dana", "Emil", "Filip", "Gita", "Ivan", "Klára", "Zuzana"];
const LAST_NAMES = ["Bílek", "Dušek", "Hájek", "Kos", "Liška", "Máj", "Netík", "Sýkora", "Tichý", "Vrba"];

const NAMES = { cs: "Běžný účet", en: "Current account" };
const PRODUCTS = { cs: "Osobní konto", en: "Personal account" };

/** Of twenty accounts, three are in euros and one in dollars. */
const CURRENCIES: readonly DemoCurrency[] = [
  ...Array<DemoCurrency>(16).fill("CZK"),
  "EUR",
  "EUR",
  "EUR",
  "USD",
];

/** The accounts of a seed; the first is the largest, in crowns. The others vary in size by up to a factor of a hundred. */
export function openMassAccounts(order: SeedOrder): readonly MassAccount[] {
  const taken = new Set<Iban>();
  return countsOf(order).map((transactions, place) => {
    const opened = openMassAccount(order.seed, place, transactions);
    const numbers = openRandom(`${order.seed}/number/${place}`);
    const account = taken.has(opened.account.iban)
      ? renumber(opened.account, taken, numbers)
      : opened.account;
    taken.add(account.iban);
    return { ...opened, account };
  });
}

/** Gives an account a number of its own: of a hundred thousand that are drawn, some are drawn twice. */
function renumber(account: Account, taken: ReadonlySet<Iban>, random: Random): Account {
  for (;;) {
    const number = drawAccountNumber(random);
    const iban = makeCzechIban(DEMO_SERVICER.bankCode, number);
    if (!taken.has(iban)) return { ...account, number, iban };
  }
}

/**
 * Opens the account at a place, counted from 0; all but the number of its transactions follows from seed and place. Its IBAN
 * may be that of another place.
 */
export function openMassAccount(seed: string, place: number, transactions: number): MassAccount {
  const random = openRandom(`${seed}/mass/${place}`);
  const demoCurrency = CURRENCIES[place % CURRENCIES.length] ?? "CZK";
  const account = openAccount({ currency: demoCurrency, names: NAMES, products: PRODUCTS }, random);
  const holder = `${pickOne(random, FIRST_NAMES)} ${pickOne(random, LAST_NAMES)}`;
  return {
    account,
    id: account.id,
    currency: account.currency,
    demoCurrency,
    transactions,
    holder,
    plainHolder: withoutDiacritics(holder),
    maskedCard: drawMaskedCard(random),
  };
}

/** Shares out what the largest account leaves: at least one for each other account, by weights from one to a hundred. */
function countsOf({ seed, transactions, accounts, largest }: SeedOrder): readonly number[] {
  const random = openRandom(`${seed}/shares`);
  const weights = Array.from({ length: accounts - 1 }, () => 100 ** random());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shared = transactions - largest - weights.length;
  let given = 0;
  let weighed = 0;
  const others = weights.map((weight) => {
    weighed += weight;
    const until = Math.round((weighed / total) * shared);
    const share = 1 + until - given;
    given = until;
    return share;
  });
  return [largest, ...others];
}
