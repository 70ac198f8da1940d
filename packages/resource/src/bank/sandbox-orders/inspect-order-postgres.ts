import type { CurrencyCode, Fault, Money } from "@cobs/cobs-model";
import { ORDER_FAULTS, payeeFault } from "../order-faults.ts";
import type { OrderInspection, OrderToInspect } from "../orders.ts";
import { exchange } from "./exchange-rates.ts";
import { type FindAccount, isOfThisBank } from "./find-accounts-postgres.ts";
import { chooseLedger, type SandboxAccount } from "./sandbox-account.ts";
import { feeOf } from "./sandbox-terms.ts";

/** Implements {@link OrderBank.inspectOrder}. */
export async function inspectOrder(find: FindAccount, wanted: OrderToInspect): Promise<OrderInspection> {
  const { psu, accounts, order } = wanted;
  const [debtor, ofCreditor] = await Promise.all([
    find({ iban: order.debtorAccount.iban, psu, accounts }),
    faultsOfCreditor(find, wanted),
  ]);
  if (debtor === undefined || debtor.isClosed)
    return { account: undefined, fee: undefined, faults: [ORDER_FAULTS.AC02, ...ofCreditor] };
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
    ...(debtor.isPaymentAccount ? [] : [ORDER_FAULTS.AC12]),
    ...(ledger === undefined ? [ORDER_FAULTS.AC10] : faultsOfExchange(order.amount, ledger.currency)),
  ];
}

/** Checks a payee in this bank, whose account must be open; accounts of other banks cannot be checked. */
async function faultsOfCreditor(find: FindAccount, { order }: OrderToInspect): Promise<readonly Fault[]> {
  const { creditorAccount, amount } = order;
  if (!("iban" in creditorAccount) || !isOfThisBank(creditorAccount.iban)) return [];
  const creditor = await find({ iban: creditorAccount.iban });
  const isPayable =
    creditor && !creditor.isClosed && chooseLedger(creditor, creditorAccount.currency, amount);
  return isPayable ? [] : [payeeFault(order)];
}

/** An amount cannot be taken from an account in another currency. */
function faultsOfExchange(amount: Money, currency: CurrencyCode): readonly Fault[] {
  return exchange(amount, currency) === undefined ? [ORDER_FAULTS.AM11] : [];
}
