import { presentDecimal, requireTransaction, type Transaction } from "@cobs/cobs-model";
import { expect } from "chai";

/** What a bank tells must be what one that enters would have to be (COBS 3.1.5.1). */
export function requireTold(transaction: Transaction): void {
  const { amount } = transaction;
  const json = { ...transaction, amount: { value: presentDecimal(amount), currency: amount.currency } };
  expect(requireTransaction(json)).to.deep.equal(transaction);
}
