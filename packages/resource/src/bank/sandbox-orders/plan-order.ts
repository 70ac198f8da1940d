import { createHash } from "node:crypto";
import {
  type AccountId,
  type CurrencyCode,
  type Localized,
  type Money,
  type PaymentType,
  parseAccountId,
} from "@cobs/cobs-model";
import type { OrderToExecute } from "../orders.ts";
import type { NewBooking } from "../post-booking-postgres.ts";
import type { Leg } from "../sandbox-bank-content.ts";
import { type Exchanged, exchange } from "./exchange-rates.ts";
import { detailsOfOrder, type OrderSides } from "./order-details.ts";
import { OrderRejected } from "./order-rejected.ts";
import { chooseLedger, type SandboxLedger } from "./sandbox-account.ts";

/** An order that arrived, with what the bank knows of both sides. */
export type OrderToPlan = OrderSides & Pick<OrderToExecute, "paymentId" | "executionDate" | "fee">;

/** Table: codes that the payer sees for a kind of payment (COBS 4.3) and for its charge. */
const PAYER: Readonly<Record<PaymentType, Readonly<Record<"code" | "express" | "fee", string>>>> = {
  domestic: { code: "10000101000", express: "10000102000", fee: "40000101000" },
  sepa: { code: "10000401000", express: "10000402000", fee: "40000301000" },
  "inside-eea": { code: "10000201000", express: "10000201000", fee: "40000201000" },
  "outside-eea": { code: "10000201000", express: "10000201000", fee: "40000201000" },
};

/** Code that a payee in this bank sees. */
const INCOMING = "10000107000";
const EXCHANGE = "90000501000";

const PAID: Localized = { cs: "Odchozí platba", en: "Outgoing payment" };
const RECEIVED: Localized = { cs: "Příchozí platba", en: "Incoming payment" };
const CHARGED: Localized = { cs: "Cena za odchozí platbu", en: "Charge for an outgoing payment" };

/**
 * The bookings that execute an order, the payer's first. A booking that debits the payer settles the pending item with its own
 * id; for the payment that is the payment id. Throws `OrderRejected` with `currency_unknown` or `creditor_closed`.
 */
export function planOrder(planned: OrderToPlan): readonly NewBooking[] {
  const { order, debtor, fee } = planned;
  const ledger = chooseLedger(debtor, order.debtorAccount.currency, order.amount);
  if (ledger === undefined) throw new OrderRejected("currency_unknown");
  const payment = paymentOf(planned, ledger);
  if (fee === undefined) return payment;
  return [...payment, chargeOf(planned, ledger, inCurrency(fee, ledger.currency).money)];
}

/** Makes one booking if both sides have the same currency, otherwise one in each: the bank buys one and sells the other. */
function paymentOf(planned: OrderToPlan, from: SandboxLedger): readonly NewBooking[] {
  const { order, paymentId: id, executionDate: valueDate } = planned;
  const to = payeeLedger(planned);
  const [paid, received] = [inCurrency(order.amount, from.currency), inCurrency(order.amount, to.currency)];
  const debit = payerLeg(planned, from.id, paid);
  const credit = payeeLeg(planned, to.id, received);
  const common = { id, valueDate, details: null };
  const { minor: amount, currency } = paid.money;
  if (from.currency === to.currency) return [{ ...common, amount, currency, debit, credit, settles: id }];
  const sold = { account: ownAccountId("exchange", from.currency), code: EXCHANGE, details: null };
  const bought = { account: ownAccountId("exchange", to.currency), code: EXCHANGE, details: null };
  return [
    { ...common, amount, currency, debit, credit: sold, settles: id },
    { ...common, amount: received.money.minor, currency: to.currency, debit: bought, credit },
  ];
}

/**
 * Finds the ledger account to credit. For a payee elsewhere it is the interbank settlement account in the order's currency.
 */
function payeeLedger({ order, creditor }: OrderToPlan): SandboxLedger {
  const { currency } = order.amount;
  if (creditor === undefined) return { id: ownAccountId("clearing", currency), currency };
  const wanted = "iban" in order.creditorAccount ? order.creditorAccount.currency : undefined;
  const ledger = chooseLedger(creditor, wanted, order.amount);
  if (ledger === undefined) throw new OrderRejected("creditor_closed");
  return ledger;
}

function inCurrency(amount: Money, currency: CurrencyCode): Exchanged {
  const exchanged = exchange(amount, currency);
  if (exchanged === undefined) throw new OrderRejected("currency_unknown");
  return exchanged;
}

function payerLeg(planned: OrderToPlan, account: AccountId, booked: Exchanged): Leg {
  const { order } = planned;
  const { code, express } = PAYER[order.type];
  const { instructionIdentification } = order;
  const details = detailsOfOrder(planned, { booked, text: PAID, instructionIdentification });
  return { account, code: order.priority === "HIGH" ? express : code, details };
}

/** Nobody reads the details of the bank's own accounts. */
function payeeLeg(planned: OrderToPlan, account: AccountId, booked: Exchanged): Leg {
  const details = planned.creditor && detailsOfOrder(planned, { booked, text: RECEIVED });
  return { account, code: INCOMING, details: details ?? null };
}

function chargeOf(
  { order, paymentId, executionDate }: OrderToPlan,
  from: SandboxLedger,
  fee: Money,
): NewBooking {
  const id = chargeIdOf(paymentId);
  const code = PAYER[order.type].fee;
  const { instructionIdentification } = order;
  const details = { references: { instructionIdentification }, additionalTransactionInformation: CHARGED };
  return {
    id,
    settles: id,
    valueDate: executionDate,
    amount: fee.minor,
    currency: fee.currency,
    details: null,
    debit: { account: from.id, code, details },
    credit: { account: ownAccountId("fees", from.currency), code, details: null },
  };
}

const CHARGE_DIGITS = 24;

/** Derives the charge's id from the payment id, within the length of a reference (COBS Max35Text). */
function chargeIdOf(paymentId: string): string {
  return `F-${createHash("sha256").update(paymentId).digest("hex").slice(0, CHARGE_DIGITS)}`;
}

/** The ledger id of one of the bank's own accounts. */
function ownAccountId(name: "clearing" | "exchange" | "fees", currency: CurrencyCode): AccountId {
  return parseAccountId(`bank-${name}-${currency}`);
}
