/** The JSON of the contract between resource and a core system: amounts are decimal texts, and what is unknown is null. */
import {
  type Account,
  type Balance,
  type Money,
  type PageContent,
  presentDecimal,
  type Transaction,
} from "@cobs/cobs-model";
import type { FundsAnswer, OrderInspection, OrderProgress } from "@cobs/resource/sandbox";

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

/** Writes which account pays, what it costs, and what there is against an order: codes alone. */
export function presentInspection({ account, fee, faults }: OrderInspection) {
  return {
    accountId: account ?? null,
    fee: fee === undefined ? null : presentMoney(fee),
    faults: faults.map(({ code }) => code),
  };
}

type UnfinishedProgress = Exclude<OrderProgress, { readonly state: "completed" }>;

/** Writes how far an order has come. */
export function presentProgress(
  progress: OrderProgress,
): UnfinishedProgress | { readonly state: "completed"; readonly entryReference: string | null } {
  if (progress.state !== "completed") return progress;
  return { state: progress.state, entryReference: progress.entryReference ?? null };
}

/** Writes yes, no, or why neither. */
export function presentFunds(answer: FundsAnswer) {
  return answer.known ? { enough: answer.enough, fault: null } : { enough: null, fault: answer.fault.code };
}

function presentBalance({ type, amount, creditLine, at }: Balance) {
  const line = creditLine && { included: creditLine.included, amount: presentMoney(creditLine.amount) };
  return { type, amount: presentMoney(amount), creditLine: line, at };
}

function presentMoney(money: Money) {
  return { value: presentDecimal(money), currency: money.currency };
}
