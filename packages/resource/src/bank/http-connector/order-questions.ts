/** The contract's questions to a core system about payment orders, and its one command: execute an order. */
import type { BankTerms } from "@cobs/cobs-model";
import type {
  FundsAnswer,
  FundsQuestion,
  OrderInspection,
  OrderOutcome,
  OrderProgress,
  OrderToExecute,
  OrderToInspect,
} from "../orders.ts";
import type { CoreQuestion } from "./core-questions.ts";
import { presentCoreAmount, presentCoreOrder } from "./order-json.ts";
import { parseFunds, parseInspection, parseOutcome, parseProgress, parseTerms } from "./parse-orders.ts";

/** Asks what the bank executes. */
export function askTerms(): CoreQuestion<BankTerms> {
  return { operation: "terms", path: "/terms", about: {}, refusals: [], parse: parseTerms };
}

/** Asks for the bank's faults in an order. */
export function askInspection(wanted: OrderToInspect): CoreQuestion<OrderInspection> {
  const { psu, accounts, order } = wanted;
  const json = { psuId: psu, accountIds: accounts ?? null, order: presentCoreOrder(order) };
  return {
    operation: "order-inspection",
    path: "/order-inspections",
    sends: { method: "POST", json },
    about: { psuId: psu, iban: order.debtorAccount.iban },
    party: psu,
    refusals: [],
    parse: (answer) => parseInspection(answer, wanted),
  };
}

/** Hands over an order, the only request that changes anything. Nobody sends it again without asking `askProgress` first. */
export function sendOrder(order: OrderToExecute): CoreQuestion<OrderOutcome> {
  const { digest, orderText: approvedText, approvalId, psu, account, executionDate, fee } = order;
  const json = {
    digest: digest.toString("hex"),
    approvedText,
    approvalId,
    psuId: psu,
    accountId: account,
    executionDate,
    fee: fee === undefined ? null : presentCoreAmount(fee),
    order: presentCoreOrder(order.order),
  };
  return {
    operation: "order",
    path: pathOfOrder(order.paymentId),
    sends: { method: "PUT", json },
    about: { paymentId: order.paymentId },
    party: psu,
    refusals: [],
    parse: parseOutcome,
  };
}

/** Asks how far an order has come. */
export function askProgress(paymentId: string): CoreQuestion<OrderProgress> {
  return {
    operation: "order-progress",
    path: pathOfOrder(paymentId),
    about: { paymentId },
    party: paymentId,
    refusals: [],
    parse: parseProgress,
  };
}

/** Asks whether an account holds an amount. */
export function askFunds(question: FundsQuestion): CoreQuestion<FundsAnswer> {
  const { psu, accounts, iban, currency, amount } = question;
  const json = {
    psuId: psu,
    accountIds: accounts,
    iban,
    currency: currency ?? null,
    amount: presentCoreAmount(amount),
  };
  return {
    operation: "funds-check",
    path: "/funds-checks",
    sends: { method: "POST", json },
    about: { psuId: psu, iban },
    party: psu,
    refusals: [],
    parse: (answer) => parseFunds(answer, question),
  };
}

function pathOfOrder(paymentId: string): string {
  return `/orders/${encodeURIComponent(paymentId)}`;
}
