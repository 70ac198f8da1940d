import { presentTable } from "../terminal/present-table.ts";
import type { ToldPayment } from "./payments-api.ts";
import { presentToldAmount } from "./present-amount.ts";

/** Table: meanings of a payment's statuses (COBS 3.2.5). */
const STATUSES: Readonly<Record<string, string>> = {
  ACTC: "entered, and waits for the PSU",
  ACWC: "entered with a change, and waits for the PSU",
  ACSP: "approved, and executed on its day",
  ACSC: "executed and booked",
  RJCT: "rejected, expired or declined",
};

/** Table: meanings of an authorization's states (COBS 3.2.9, A-47). */
const STATES: Readonly<Record<string, string>> = {
  OPEN: "waits for the PSU",
  REJECT: "declined",
  CLOSE: "ended without an approval",
  DONE: "approved",
};

/** Table: why a payment is rejected, by the state of its authorization (resource/README.md). */
const REJECTIONS: Readonly<Record<string, string>> = {
  REJECT: "declined by the PSU, or not approved in five attempts",
  CLOSE: "ended before anybody approved it",
  DONE: "rejected by the bank after the approval",
};

/** Table: meanings of the service levels (COBS 4.24). */
const TYPES: Readonly<Record<string, string>> = {
  DMCT: "domestic",
  ESCT: "SEPA",
  EXCT: "foreign, inside the EEA",
  NXCT: "foreign, outside the EEA",
};

/** A payment as a table: id, status, and authorization; and how to learn why the bank rejected it, which the API does not say. */
export function presentPayment(payment: ToldPayment): string {
  const { instructionStatus, signInfo, serviceLevel, requestedExecutionDate } = payment;
  const amount = presentToldAmount({ amount: payment.amount.instructedAmount, creditDebitIndicator: "CRDT" });
  const day = requestedExecutionDate ?? "";
  const change = payment.statusChangeInfo === undefined ? "" : `changed (${payment.statusChangeInfo})`;
  const isRejected = instructionStatus === "RJCT";
  const meaning = (isRejected ? REJECTIONS[signInfo.state] : undefined) ?? meaningOf(instructionStatus);
  const table = presentTable([
    ["payment", payment.transactionIdentification, TYPES[serviceLevel.code] ?? serviceLevel.code],
    ["amount", amount, ""],
    ...(day === "" ? [] : [["day", day, change]]),
    ["status", instructionStatus, meaning],
    ["authorization", signInfo.signId ?? "", `${signInfo.state}: ${STATES[signInfo.state] ?? ""}`],
  ]);
  return isRejected ? `${table}\n${whyRejected(payment.transactionIdentification)}` : table;
}

/** The meaning of a status. */
export function meaningOf(status: string): string {
  return STATUSES[status] ?? "";
}

/** How the operator of the bank sees why a payment was rejected. */
export function whyRejected(paymentId: string): string {
  return `Why: npm run auth -- payment ${paymentId}`;
}
