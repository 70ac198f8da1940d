import { randomBytes } from "node:crypto";
import {
  type Account,
  type BankTerms,
  type ExecutionPlan,
  findPaymentType,
  type Iban,
  type InstructionPriority,
  makeCzechIban,
  makeIban,
  type PaymentOrder,
  type PaymentType,
  parseCurrencyCode,
  parseCzechAccountNumber,
  planExecution,
} from "@cobs/cobs-model";
import type { OrderToExecute } from "../bank/orders.ts";
import { bytesOfOrder } from "../payments/order-bytes.ts";
import { findPaymentId } from "../payments/payment-ids.ts";

/** Of no bank. */
export const NO_IBAN = makeIban("DE", "000000000000000000");

/** Of no bank, in Czechia: what is paid to it in crowns is a domestic payment (COBS 3.2.4). */
export const NO_CZECH_IBAN = makeCzechIban("9999", parseCzechAccountNumber("19-2000145399"));

const CZK = parseCurrencyCode("CZK");
const EUR = parseCurrencyCode("EUR");

/** As PSUs write: whoever takes the digest of another encoding, or of JSON written anew, refuses what was approved. */
const MESSAGE = "Zkouška: příliš žluťoučký kůň";

/** One unit, of any currency with two decimals. */
const AMOUNT = 100n;

/** A payment id that was never used. */
export function newPaymentId(): string {
  return randomBytes(16).toString("hex");
}

/** A small instant order from an account. */
export function kitOrder({ iban, currency }: Pick<Account, "iban" | "currency">, payee: Iban): PaymentOrder {
  return {
    type: "domestic",
    instructionIdentification: newPaymentId(),
    endToEndIdentification: undefined,
    priority: "INST",
    amount: { minor: AMOUNT, currency },
    requestedExecutionDate: undefined,
    chargeBearer: undefined,
    debtorAccount: { iban, currency: undefined },
    creditor: undefined,
    creditorAgent: undefined,
    creditorAccount: { iban: payee, currency: undefined },
    ultimateDebtor: undefined,
    ultimateCreditor: undefined,
    unstructured: "connector-kit",
    references: [],
    symbols: {},
    initiatingParty: undefined,
  };
}

/** What an order of each type is, as the type follows from its payee and its currency (COBS 3.2.4). */
const OF_EACH_TYPE: Readonly<Record<PaymentType, Partial<PaymentOrder> & Pick<PaymentOrder, "amount">>> = {
  domestic: { amount: { minor: AMOUNT, currency: CZK } },
  sepa: {
    amount: { minor: AMOUNT, currency: EUR },
    endToEndIdentification: "NOTPROVIDED",
    chargeBearer: "SLEV",
    creditor: { name: "Connector Kit" },
    creditorAccount: { iban: NO_IBAN, currency: undefined },
  },
  "inside-eea": {
    amount: { minor: AMOUNT, currency: CZK },
    chargeBearer: "SHAR",
    creditor: { name: "Connector Kit" },
    creditorAgent: { bic: "TESTDEFF" },
    creditorAccount: { iban: NO_IBAN, currency: undefined },
  },
  "outside-eea": {
    amount: { minor: AMOUNT, currency: EUR },
    chargeBearer: "DEBT",
    creditor: { name: "Connector Kit", postalAddress: { country: "US", addressLine: ["1 Main Street"] } },
    creditorAgent: { bic: "TESTUS33" },
    creditorAccount: { number: "123456789" },
  },
};

/** A small order of a type, to a payee of no bank; undefined where the bank executes none such. */
export function findOrderOfType(
  type: PaymentType,
  account: Pick<Account, "iban" | "currency">,
  { currencies, priorities }: BankTerms,
): PaymentOrder | undefined {
  const [priority] = priorities[type];
  const order = { ...kitOrder(account, NO_CZECH_IBAN), ...OF_EACH_TYPE[type], type };
  if (priority === undefined || !currencies.includes(order.amount.currency)) return undefined;
  return { ...order, priority };
}

/** Table: the priorities of the bank that come first, by how urgent an order is that is to be executed. */
const BY_URGENCY = {
  soonest: ["INST", "HIGH", "NORM"],
  "on a later day": ["NORM", "HIGH", "INST"],
} as const satisfies Readonly<Record<string, readonly InstructionPriority[]>>;

/** What is wanted of an order that is to be executed. */
export interface WantedOrder {
  readonly payee: Iban;
  /** One that is to be executed soonest has the first priority with the earliest day: cut-off times differ. */
  readonly urgency: keyof typeof BY_URGENCY;
}

/**
 * A small order in the currency of an account, of the type that resource would say it is; undefined where the bank executes none
 * such, or where it would need the BIC of the payee's bank.
 */
export function findOrderTo(
  { payee, urgency }: WantedOrder,
  account: Pick<Account, "iban" | "currency">,
  { terms, now }: { readonly terms: BankTerms; readonly now: Date },
): PaymentOrder | undefined {
  const { currency } = account;
  const signs = {
    amount: { instructedAmount: { currency } },
    creditorAccount: { identification: { iban: payee } },
  };
  const type = findPaymentType(signs, terms);
  if (type !== "domestic" && type !== "sepa") return undefined;
  if (!terms.currencies.includes(currency)) return undefined;
  const { amount, creditorAccount } = kitOrder(account, payee);
  const order = { ...kitOrder(account, payee), ...OF_EACH_TYPE[type], type, amount, creditorAccount };
  const orders = BY_URGENCY[urgency]
    .filter((priority) => terms.priorities[type].includes(priority))
    .map((priority) => ({ ...order, priority }));
  return urgency === "soonest" ? firstExecuted(orders, (each) => planExecution(each, terms, now)) : orders[0];
}

function firstExecuted(
  orders: readonly PaymentOrder[],
  planOf: (order: PaymentOrder) => ExecutionPlan,
): PaymentOrder | undefined {
  const planned = orders.map((order) => ({ order, day: planOf(order).executionDate }));
  return planned.sort((one, other) => one.day.localeCompare(other.day))[0]?.order;
}

/** One of another amount, in minor units, as if that had been approved under the same payment id. */
export function withAmount(ordered: OrderToExecute, minor: bigint): OrderToExecute {
  const order = { ...ordered.order, amount: { ...ordered.order.amount, minor } };
  return { ...ordered, ...approvedBytes({ ...ordered, order }), order };
}

/** Another order of the same, from an account that is named otherwise. */
export function fromAccount(
  ordered: OrderToExecute,
  { id, iban }: Pick<Account, "id" | "iban">,
): OrderToExecute {
  const { psu, fee, executionDate } = ordered;
  const debtorAccount = { iban, currency: undefined };
  const order = { ...ordered.order, instructionIdentification: newPaymentId(), debtorAccount };
  return approve({ psu, account: id, order, fee, executionDate });
}

/** The text that a PSU would have approved, and its digest. */
export function approvedBytes({
  paymentId,
  ...terms
}: OrderToApprove): Pick<OrderToExecute, "digest" | "orderText"> {
  const id = findPaymentId(paymentId);
  if (id === undefined) throw new TypeError("the kit has made no such payment id");
  return bytesOfOrder({ id, ...terms });
}

/** What the text is made of. */
export type OrderToApprove = Pick<OrderToExecute, "paymentId" | "order" | "fee" | "executionDate">;

/** Who pays an order, from which of their accounts, and on what terms. */
export type TermsOfOrder = Pick<OrderToExecute, "psu" | "account" | "order" | "fee" | "executionDate">;

/** An order as it is handed over, under a new payment id. */
export function approve(terms: TermsOfOrder): OrderToExecute {
  const paymentId = newPaymentId();
  return { paymentId, ...approvedBytes({ paymentId, ...terms }), approvalId: `kit-${paymentId}`, ...terms };
}

/** The same with a message as PSUs write it; what is not domestic has it in permitted characters alone (COBS 3.1.1). */
export function withMessage(order: PaymentOrder): PaymentOrder {
  return order.type === "domestic" ? { ...order, unstructured: MESSAGE } : order;
}
