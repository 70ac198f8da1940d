import { presentDecimal, requireTransaction, type Transaction } from "@cobs/cobs-model";
import { expect } from "chai";

/** Requires that a transaction in a bank's answer would also be accepted as input (COBS 3.1.5.1). */
export function requireTold(transaction: Transaction): void {
  const { amount } = transaction;
  const json = { ...transaction, amount: { value: presentDecimal(amount), currency: amount.currency } };
  expect(requireTransaction(json)).to.deep.equal(transaction);
}
