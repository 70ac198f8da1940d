import { type Language, presentIban } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";

/** An account as one line of the form. */
export interface AccountLine {
  readonly id: string;
  readonly name: string;
  /** Undefined when the bank names none. */
  readonly product: string | undefined;
  readonly number: string;
  readonly iban: string;
  readonly currency: string;
  readonly ticked: boolean;
  /** Whether the application has it already, through the consent that this one would replace. */
  readonly shared: boolean;
}

/** Lines under one heading; the group without a currency is the whole list. */
export interface AccountGroup {
  readonly currency: string | undefined;
  readonly accounts: readonly AccountField[];
}

/** A line with the id of its checkbox; the first on a page is `account`, to which a fault can link. */
export type AccountField = AccountLine & { readonly field: string };

/** Accounts that carry a mark. */
export interface AccountMarks {
  readonly ticked: ReadonlySet<string>;
  readonly shared: ReadonlySet<string>;
}

const MOST_WITHOUT_GROUPS = 10;
/** Created once: creating one takes longer than sorting with it. */
const ORDERS: Readonly<Record<Language, Intl.Collator>> = {
  cs: new Intl.Collator("cs", { numeric: true }),
  en: new Intl.Collator("en", { numeric: true }),
};

/** Presents one account as a line without marks; its number stands in for a missing name. */
export function accountLine(account: PsuAccount, language: Language): Omit<AccountLine, keyof AccountMarks> {
  const iban = presentIban(account.iban);
  const { number: digits, bankCode } = account;
  const number = digits === null || bankCode === null ? iban : `${digits}/${bankCode}`;
  return {
    id: account.id,
    name: account.names?.[language] ?? number,
    product: account.products?.[language],
    number,
    iban,
    currency: account.currency,
  };
}

/** One line per account, sorted by name in the language of the page, so that people can search a long list by eye. */
export function accountLines(
  accounts: readonly PsuAccount[],
  { ticked, shared }: AccountMarks,
  language: Language,
): readonly AccountLine[] {
  const order = ORDERS[language];
  const lines = accounts.map((account) => accountLine(account, language));
  return lines
    .sort((one, other) => order.compare(one.name, other.name))
    .map((line) => ({ ...line, ticked: ticked.has(line.id), shared: shared.has(line.id) }));
}

/** Keeps a short list as it is, and groups a long one by currency, in the order in which the currencies occur. */
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
