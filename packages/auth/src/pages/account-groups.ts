import { type Language, presentIban } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";

/** An account as one line of the form. */
export interface AccountLine {
  readonly id: string;
  readonly name: string;
  readonly product: string;
  readonly number: string;
  readonly iban: string;
  readonly currency: string;
  readonly ticked: boolean;
  /** Whether the application has it already, by the consent that this one would replace. */
  readonly shared: boolean;
}

/** Lines under one heading; without a currency it is the heading of all. */
export interface AccountGroup {
  readonly currency: string | undefined;
  readonly accounts: readonly AccountField[];
}

/** A line with the id of its checkbox; the first on a page is `account`, to which a fault can link. */
export type AccountField = AccountLine & { readonly field: string };

/** Which accounts carry a mark. */
export interface AccountMarks {
  readonly ticked: ReadonlySet<string>;
  readonly shared: ReadonlySet<string>;
}

const MOST_WITHOUT_GROUPS = 10;
/** Made once: that takes longer than to sort with one. */
const ORDERS: Readonly<Record<Language, Intl.Collator>> = {
  cs: new Intl.Collator("cs", { numeric: true }),
  en: new Intl.Collator("en", { numeric: true }),
};

/** One account as a line without marks. */
export function accountLine(account: PsuAccount, language: Language): Omit<AccountLine, keyof AccountMarks> {
  return {
    id: account.id,
    name: account.names[language],
    product: account.products[language],
    number: `${account.number}/${account.bankCode}`,
    iban: presentIban(account.iban),
    currency: account.currency,
  };
}

/** One line for each account, by name as its language sorts them, so that a long list can be searched by eye. */
export function accountLines(
  accounts: readonly PsuAccount[],
  { ticked, shared }: AccountMarks,
  language: Language,
): readonly AccountLine[] {
  const order = ORDERS[language];
  const sorted = accounts.toSorted((one, other) => order.compare(one.names[language], other.names[language]));
  return sorted.map((account) => ({
    ...accountLine(account, language),
    ticked: ticked.has(account.id),
    shared: shared.has(account.id),
  }));
}

/** A short list as it is, a long one by currency, in the order in which the currencies come. */
export function groupAccounts(accounts: readonly AccountLine[]): readonly AccountGroup[] {
  const lines = accounts.map((line, index) => ({ ...line, field: fieldOf(index) }));
  if (lines.length <= MOST_WITHOUT_GROUPS) return [{ currency: undefined, accounts: lines }];
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  return currencies.map((currency) => ({
    currency,
    accounts: lines.filter((line) => line.currency === currency),
  }));
}

function fieldOf(index: number): string {
  return index === 0 ? "account" : `account-${index + 1}`;
}
