import type { Balance, BalanceType } from "./balance.ts";
import { presentDateOrTime } from "./bank-time.ts";
import { type AmountDocument, presentAmount, unsigned } from "./money.ts";
import type { Writable } from "./writable.ts";

/** One balance on the wire (COBS 3.1.4); a credit line that does not exist is left out. */
export type BalanceDocument = {
  readonly type: { readonly codeOrProprietary: { readonly code: BalanceType } };
  readonly creditLine?: { readonly included: boolean; readonly amount: AmountDocument };
  readonly amount: AmountDocument;
  readonly creditDebitIndicator: "CRDT" | "DBIT";
  readonly date: { readonly dateTime: string };
};

/** The answer of `GET /my/accounts/{id}/balance` (COBS 3.1.4). */
export type BalancesDocument = { readonly balances: readonly BalanceDocument[] };

/** Writes balances in the order given: amounts unsigned, zero as a credit (COBS 3.1.4). */
export function presentBalances(balances: readonly Balance[]): BalancesDocument {
  return { balances: balances.map(presentBalance) };
}

function presentBalance({ type, amount, creditLine, at }: Balance): BalanceDocument {
  const document: Writable<BalanceDocument> = {
    type: { codeOrProprietary: { code: type } },
    amount: presentAmount(unsigned(amount)),
    creditDebitIndicator: amount.minor < 0n ? "DBIT" : "CRDT",
    date: { dateTime: presentDateOrTime(at) },
  };
  if (creditLine !== null)
    document.creditLine = { included: creditLine.included, amount: presentAmount(creditLine.amount) };
  return document;
}
