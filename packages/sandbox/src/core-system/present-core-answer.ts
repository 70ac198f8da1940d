/** The JSON of the contract between resource and a core system: amounts are decimal texts, and what is unknown is null. */
import {
  type Account,
  type Balance,
  type Money,
  type PageContent,
  presentDecimal,
  type Transaction,
} from "@cobs/cobs-model";

/** Writes the accounts of a PSU. */
export function presentAccounts(accounts: readonly Account[]) {
  return { accounts };
}

/** Writes the balances of an account. */
export function presentBalances(balances: readonly Balance[]) {
  return { balances: balances.map(presentBalance) };
}

/** Writes one page of transactions. */
export function presentTransactions({ entries, totalCount }: PageContent<Transaction>) {
  const transactions = entries.map((entry) => ({ ...entry, amount: presentMoney(entry.amount) }));
  return { totalCount, transactions };
}

function presentBalance({ type, amount, creditLine, at }: Balance) {
  const line = creditLine && { included: creditLine.included, amount: presentMoney(creditLine.amount) };
  return { type, amount: presentMoney(amount), creditLine: line, at };
}

function presentMoney(money: Money) {
  return { value: presentDecimal(money), currency: money.currency };
}
