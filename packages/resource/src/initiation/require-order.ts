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
import type { AccountOfPsu, Bank } from "../bank/bank.ts";
import { BankRefusal } from "../bank/bank-refusal.ts";
import { CoreUnavailable } from "../bank/core-unavailable.ts";
import { ORDER_FAULTS } from "../bank/order-faults.ts";
import type { OrderInspection } from "../bank/orders.ts";

/** An order without a fault, the account that pays, and when it is executed. */
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

/** Who inspects an order, and who knows the accounts of one that cannot be read. */
export type InspectingBank = Pick<Bank, "terms" | "inspectOrder" | "accountsOf" | "currenciesOf">;

/**
 * Parses an order and has the bank inspect it. Refuses with all faults at once; while the core system does not answer, even
 * with its terms, with those that are known without it, because they would remain 400 in any case. A consent that includes
 * accounts limits which of them may pay; one for payments alone names none, and any account of the PSU may pay.
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

/** What the bank answers. When it cannot be asked, refuses with the faults that are already known, if any. */
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

/**
 * Whether an account may pay under a consent: one for payments alone names no accounts, and covers all of the PSU's.
 */
export function coversPayer({ accounts }: Pick<PsuAdmission, "accounts">, account: AccountId): boolean {
  return accounts.length === 0 || accounts.includes(account);
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

/** A malformed currency has its own fault already. */
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
    // It was the PSU's a moment ago.
    if (error instanceof BankRefusal) return [ORDER_FAULTS.AC02];
    throw error;
  }
}

/** The text at a dotted path of a body; undefined where there is none. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = findAt(value, path);
  return typeof found === "string" ? found : undefined;
}

/** The account and fee of an order without a fault; a bank that names no account for one breaks its contract. */
function settled({ account, fee }: OrderInspection): Pick<ProvenOrder, "account" | "fee"> {
  if (account === undefined) throw new TypeError("a bank has nothing against an order that no account pays");
  return { account, fee };
}
