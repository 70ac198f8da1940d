import { type Language, presentIban } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";

/** An account as one line of the form. */
export interface AccountLine {
  readonly id: string;
  /** The id of its checkbox; the first is `account`, to which a fault can link. */
  readonly field: string;
  readonly name: string;
  readonly product: string;
  readonly number: string;
  readonly iban: string;
  readonly currency: string;
  readonly ticked: boolean;
}

/** Lines under one heading; without a currency it is the heading of all. */
export interface AccountGroup {
  readonly currency: string | undefined;
  readonly accounts: readonly AccountLine[];
}

const MOST_WITHOUT_GROUPS = 10;

/** One line for each account, by name as its language sorts them, so that a long list can be searched by eye. */
export function accountLines(
  accounts: readonly PsuAccount[],
  ticked: readonly string[],
  language: Language,
): readonly AccountLine[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sorted = accounts.toSorted((one, other) => compare(one.names[language], other.names[language]));
  return sorted.map((account, index) => ({
    id: account.id,
    field: index === 0 ? "account" : `account-${index + 1}`,
    name: account.names[language],
    product: account.products[language],
    number: `${account.number}/${account.bankCode}`,
    iban: presentIban(account.iban),
    currency: account.currency,
    ticked: ticked.includes(account.id),
  }));
}

/** A short list as it is, a long one by currency, in the order in which the currencies come. */
export function groupAccounts(lines: readonly AccountLine[]): readonly AccountGroup[] {
  if (lines.length <= MOST_WITHOUT_GROUPS) return [{ currency: undefined, accounts: lines }];
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  return currencies.map((currency) => ({
    currency,
    accounts: lines.filter((line) => line.currency === currency),
  }));
}
