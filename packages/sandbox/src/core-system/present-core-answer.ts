/**
 * The JSON answers of the contract between resource and a core system: amounts are decimal texts, unknown members are null,
 * and each answer repeats what it was asked about.
 */
import {
  type Account,
  type Balance,
  type Money,
  type PageContent,
  type PsuId,
  presentDecimal,
  readStoredTransaction,
  type StoredTransaction,
} from "@cobs/cobs-model";
import type {
  AccountOfPsu,
  FundsAnswer,
  FundsQuestion,
  OrderInspection,
  OrderOutcome,
  OrderProgress,
  OrderToInspect,
} from "@cobs/resource/sandbox";

/** Writes the accounts of a PSU. */
export function presentAccounts(psuId: PsuId, accounts: readonly Account[]) {
  return { psuId, accounts };
}

/** Writes the balances of an account. */
export function presentBalances({ psu, account }: AccountOfPsu, balances: readonly Balance[]) {
  return { psuId: psu, accountId: account, balances: balances.map(presentBalance) };
}

/** Writes one page of transactions. */
export function presentTransactions(
  { psu, account }: AccountOfPsu,
  { entries, totalCount }: PageContent<StoredTransaction>,
) {
  const transactions = entries.map((entry) => ({
    ...readStoredTransaction(entry),
    amount: presentMoney(entry.amount),
  }));
  return { psuId: psu, accountId: account, totalCount, transactions };
}

/** Writes which account pays, the charge, and the codes of an order's faults. */
export function presentInspection({ psu, order }: OrderToInspect, { account, fee, faults }: OrderInspection) {
  return {
    psuId: psu,
    iban: order.debtorAccount.iban,
    accountId: account ?? null,
    fee: fee === undefined ? null : presentMoney(fee),
    faults: faults.map(({ code }) => code),
  };
}

/** Writes whether an order was taken. */
export function presentOutcome(paymentId: string, outcome: OrderOutcome) {
  return { paymentId, ...outcome };
}

/** Writes how far an order has come. */
export function presentProgress(paymentId: string, progress: OrderProgress) {
  if (progress.state !== "completed") return { paymentId, ...progress };
  return { paymentId, state: progress.state, entryReference: progress.entryReference ?? null };
}

/** Writes yes or no with the account, or the fault. */
export function presentFunds({ psu, iban }: FundsQuestion, answer: FundsAnswer) {
  const told = answer.known
    ? { accountId: answer.account, enough: answer.enough, fault: null }
    : { accountId: null, enough: null, fault: answer.fault.code };
  return { psuId: psu, iban, ...told };
}

function presentBalance({ type, amount, creditLine, at }: Balance) {
  const line = creditLine && { included: creditLine.included, amount: presentMoney(creditLine.amount) };
  return { type, amount: presentMoney(amount), creditLine: line, at };
}

function presentMoney(money: Money) {
  return { value: presentDecimal(money), currency: money.currency };
}
