import {
  type AccountId,
  ContentRefusal,
  type ExecutionPlan,
  type Fault,
  findAt,
  findCurrencyCode,
  findFaultsOfAnyBank,
  type Money,
  type PaymentOrder,
  planExecution,
  readPaymentOrder,
} from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import { coversPayer } from "../admission/covers-payer.ts";
import type { AccountOfPsu, Bank } from "../bank/bank.ts";
import { BankRefusal } from "../bank/bank-refusal.ts";
import { CoreUnavailable } from "../bank/core-unavailable.ts";
import { ORDER_FAULTS } from "../bank/order-faults.ts";
import type { OrderInspection } from "../bank/orders.ts";

/** An order without faults, the account that pays, its fee, and its execution plan. */
export interface ProvenOrder {
  readonly order: PaymentOrder;
  readonly account: AccountId;
  readonly fee: Money | undefined;
  readonly plan: ExecutionPlan;
}

const DEBTOR = "debtorAccount.identification.iban";
const CURRENCY = "debtorAccount.currency";

/** The request body, and the faults that were found outside it. */
interface OrderInput {
  readonly body: unknown;
  readonly faults: readonly Fault[];
  readonly now: Date;
}

type OfPsu = Pick<PsuAdmission, "psu" | "accounts">;

/** The bank as far as it inspects an order, and knows the accounts of an order that cannot be parsed. */
export type InspectingBank = Pick<Bank, "terms" | "inspectOrder" | "accountsOf" | "currenciesOf">;

/**
 * Parses an order and lets the bank inspect it. Refuses with all faults at once. While the core system does not even answer
 * with its terms, it refuses with the faults that are known without it, because they would remain 400 in any case. A consent
 * that includes accounts limits which of them may pay. A consent for payments alone names none, and any account of the PSU
 * may pay.
 */
export async function requireOrder(
  bank: InspectingBank,
  of: OfPsu,
  { body, now, faults: others }: OrderInput,
): Promise<ProvenOrder> {
  const terms = await orRefuse(() => [...others, ...findFaultsOfAnyBank(body, now)], bank.terms());
  const { order, faults } = readPaymentOrder(body, terms, now);
  if (order === undefined) {
    const known = [...others, ...faults];
    const ofAccount = await orRefuse(() => known, faultsOfDebtor(bank, of, { body, faults }));
    throw new ContentRefusal([...known, ...ofAccount]);
  }
  const inspecting = bank.inspectOrder({ psu: of.psu, accounts: payableIn(of), order });
  const inspection = await orRefuse(() => others, inspecting);
  const all = [...others, ...inspection.faults];
  if (all.length > 0) throw new ContentRefusal(all);
  const { account, fee } = settled(inspection);
  return { order, account, fee, plan: planExecution(order, terms, now) };
}

/** Gives the bank's answer. When the bank cannot be asked, refuses with the faults that are already known, if any. */
async function orRefuse<T>(findKnown: () => readonly Fault[], asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    const known = error instanceof CoreUnavailable ? findKnown() : [];
    throw known.length > 0 ? new ContentRefusal(known) : error;
  }
}

function payableIn({ accounts }: OfPsu): readonly AccountId[] | undefined {
  return accounts.length === 0 ? undefined : accounts;
}

/** An order that cannot be parsed cannot be inspected, but faults of the paying account are reported all the same. */
async function faultsOfDebtor(
  bank: Pick<Bank, "accountsOf" | "currenciesOf">,
  of: OfPsu,
  { body, faults }: Pick<OrderInput, "body" | "faults">,
): Promise<readonly Fault[]> {
  const wanted = textAt(body, DEBTOR);
  if (wanted === undefined || faults.some(({ path }) => path === DEBTOR)) return [];
  const own = await bank.accountsOf(of.psu);
  const account = own.find(({ id, iban }) => iban === wanted && coversPayer(of, id));
  if (account === undefined) return [ORDER_FAULTS.AC02];
  return faultsOfCurrency(bank, { psu: of.psu, account: account.id }, textAt(body, CURRENCY));
}

/** Finds the fault of a currency that the account does not have; a malformed currency already has its own fault. */
async function faultsOfCurrency(
  bank: Pick<Bank, "currenciesOf">,
  of: AccountOfPsu,
  text: string | undefined,
): Promise<readonly Fault[]> {
  const wanted = findCurrencyCode(text);
  if (wanted === undefined) return [];
  try {
    return (await bank.currenciesOf(of)).includes(wanted) ? [] : [ORDER_FAULTS.AC10];
  } catch (error) {
    // The account was the PSU's a moment ago.
    if (error instanceof BankRefusal) return [ORDER_FAULTS.AC02];
    throw error;
  }
}

/** Finds the text at a dotted path of a body. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = findAt(value, path);
  return typeof found === "string" ? found : undefined;
}

/** The account and fee of an order without a fault; a bank that names no account for one breaks its contract. */
function settled({ account, fee }: OrderInspection): Pick<ProvenOrder, "account" | "fee"> {
  if (account === undefined) throw new TypeError("a bank has nothing against an order that no account pays");
  return { account, fee };
}
