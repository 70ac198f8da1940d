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

/** A German IBAN of no bank. */
export const NO_IBAN = makeIban("DE", "000000000000000000");

/** A Czech IBAN of no bank; a payment to it in crowns is domestic (COBS 3.2.4). */
export const NO_CZECH_IBAN = makeCzechIban("9999", parseCzechAccountNumber("19-2000145399"));

const CZK = parseCurrencyCode("CZK");
const EUR = parseCurrencyCode("EUR");

/**
 * A message with Czech letters: a digest of another encoding, or of JSON serialised anew, does not match the approved one.
 */
const MESSAGE = "Zkouška: příliš žluťoučký kůň";

/** One unit of any currency with two decimals. */
const AMOUNT = 100n;

/** A new payment id. */
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

/** What makes an order one of each type, which follows from its payee and its currency (COBS 3.2.4). */
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

/** A small order of a type, to a payee of no bank; undefined if the bank executes none such. */
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

/** Table: the order in which priorities are tried, by how urgent an order is. */
const BY_URGENCY = {
  soonest: ["INST", "HIGH", "NORM"],
  "on a later day": ["NORM", "HIGH", "INST"],
} as const satisfies Readonly<Record<string, readonly InstructionPriority[]>>;

/** An order that is to be executed. */
export interface WantedOrder {
  readonly payee: Iban;
  /** For `soonest`, the first priority with the earliest day: cut-off times differ. */
  readonly urgency: keyof typeof BY_URGENCY;
}

/**
 * Finds a small order in the currency of an account, of the type that resource would derive. Undefined if the bank executes
 * none such, or if it would need the BIC of the payee's bank.
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

/** The order with another amount in minor units, as if that had been approved under the same payment id. */
export function withAmount(ordered: OrderToExecute, minor: bigint): OrderToExecute {
  const order = { ...ordered.order, amount: { ...ordered.order.amount, minor } };
  return { ...ordered, ...approvedBytes({ ...ordered, order }), order };
}

/** A new approved order of the same content, from the account with this id and IBAN. */
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

/** Parts of an order that the approved text contains. */
export type OrderToApprove = Pick<OrderToExecute, "paymentId" | "order" | "fee" | "executionDate">;

/** Who pays an order, from which account, and on what terms. */
export type TermsOfOrder = Pick<OrderToExecute, "psu" | "account" | "order" | "fee" | "executionDate">;

/** An order ready to be handed over, under a new payment id. */
export function approve(terms: TermsOfOrder): OrderToExecute {
  const paymentId = newPaymentId();
  return { paymentId, ...approvedBytes({ paymentId, ...terms }), approvalId: `kit-${paymentId}`, ...terms };
}

/** A domestic order with a message in Czech; other types allow only the permitted characters (COBS 3.1.1). */
export function withMessage(order: PaymentOrder): PaymentOrder {
  return order.type === "domestic" ? { ...order, unstructured: MESSAGE } : order;
}
