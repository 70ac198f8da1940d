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

/** Table: meanings of the service levels (COBS 4.24). */
const TYPES: Readonly<Record<string, string>> = {
  DMCT: "domestic",
  ESCT: "SEPA",
  EXCT: "foreign, inside the EEA",
  NXCT: "foreign, outside the EEA",
};

/** A payment as a table: id, status, and authorization. */
export function presentPayment(payment: ToldPayment): string {
  const { instructionStatus, signInfo, serviceLevel, requestedExecutionDate } = payment;
  const amount = presentToldAmount({ amount: payment.amount.instructedAmount, creditDebitIndicator: "CRDT" });
  const day = requestedExecutionDate ?? "";
  const change = payment.statusChangeInfo === undefined ? "" : `changed (${payment.statusChangeInfo})`;
  return presentTable([
    ["payment", payment.transactionIdentification, TYPES[serviceLevel.code] ?? serviceLevel.code],
    ["amount", amount, ""],
    ...(day === "" ? [] : [["day", day, change]]),
    ["status", instructionStatus, meaningOf(instructionStatus)],
    ["authorization", signInfo.signId ?? "", `${signInfo.state}: ${STATES[signInfo.state] ?? ""}`],
  ]);
}

/** The meaning of a status. */
export function meaningOf(status: string): string {
  return STATUSES[status] ?? "";
}
