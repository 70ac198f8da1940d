import type { CobsErrorCode, CurrencyCode, Fault, Money } from "@cobs/cobs-model";
import type { OrderInspection, OrderToInspect } from "../orders.ts";
import { exchange } from "./exchange-rates.ts";
import { type FindAccount, isOfThisBank } from "./find-accounts-postgres.ts";
import { chooseLedger, type SandboxAccount } from "./sandbox-account.ts";
import { feeOf } from "./sandbox-terms.ts";

const DEBTOR = "debtorAccount.identification.iban";
const CREDITOR = "creditorAccount.identification.iban";

/** Answers {@link OrderBank.inspectOrder}. */
export async function inspectOrder(find: FindAccount, wanted: OrderToInspect): Promise<OrderInspection> {
  const { psu, accounts, order } = wanted;
  const [debtor, ofCreditor] = await Promise.all([
    find({ iban: order.debtorAccount.iban, psu, accounts }),
    faultsOfCreditor(find, wanted),
  ]);
  if (debtor === undefined || debtor.isClosed)
    return { account: undefined, fee: undefined, faults: [unknownAccount(DEBTOR), ...ofCreditor] };
  const ledger = chooseLedger(debtor, order.debtorAccount.currency, order.amount);
  return {
    account: debtor.id,
    fee: ledger && feeOf(order, ledger.currency),
    faults: [...faultsOfDebtor(debtor, wanted), ...ofCreditor],
  };
}

function faultsOfDebtor(debtor: SandboxAccount, { order }: OrderToInspect): readonly Fault[] {
  const ledger = chooseLedger(debtor, order.debtorAccount.currency, order.amount);
  return [
    ...(debtor.isPaymentAccount ? [] : [faultOf("AC12", DEBTOR, "the account is not a payment account")]),
    ...(ledger === undefined
      ? [faultOf("AC10", "debtorAccount.currency", "the account is not kept in this currency")]
      : faultsOfExchange(order.amount, ledger.currency)),
  ];
}

/** Only the accounts of this bank can be looked at; a payment within it needs one that is open. */
async function faultsOfCreditor(find: FindAccount, { order }: OrderToInspect): Promise<readonly Fault[]> {
  const { creditorAccount, amount } = order;
  if (!("iban" in creditorAccount) || !isOfThisBank(creditorAccount.iban)) return [];
  const creditor = await find({ iban: creditorAccount.iban });
  if (creditor === undefined || creditor.isClosed)
    return [faultOf("AC03", CREDITOR, "the payee's account is closed, or there is none")];
  if (chooseLedger(creditor, creditorAccount.currency, amount) !== undefined) return [];
  return [faultOf("AC03", "creditorAccount.currency", "the payee's account is not kept in this currency")];
}

function faultsOfExchange(amount: Money, currency: CurrencyCode): readonly Fault[] {
  return exchange(amount, currency) === undefined ? [notExchanged("amount.instructedAmount.currency")] : [];
}

/** An amount cannot be taken from an account in another currency. */
export function notExchanged(path: string | undefined): Fault {
  return faultOf("AM11", path, "the bank does not exchange this currency");
}

/** In the same words whether it is another's, closed, or none. */
export function unknownAccount(path: string | undefined): Fault {
  return faultOf("AC02", path, "the PSU has no such account, or this consent does not cover it");
}

/** A fault without parameters. */
export function faultOf(code: CobsErrorCode, path: string | undefined, message: string): Fault {
  return { code, path, message };
}
