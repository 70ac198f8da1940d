import { isProven, type Place, readElement } from "../element-reader.ts";
import { isObject } from "../is-object.ts";
import { type Fault, NO_OBJECT } from "../refusal.ts";
import { makePaymentOrder } from "./make-payment-order.ts";
import { isNeededByAll, PAYMENT_TREES } from "./payment-elements.ts";
import { type BankTerms, DEFAULT_PRIORITY, type PaymentOrder, type PaymentType } from "./payment-order.ts";
import { findAt, type PaymentRequest } from "./payment-request.ts";
import { findRuleFaults, type SaidByRequest } from "./payment-rules.ts";
import { findPaymentType } from "./payment-type.ts";

/** An order, or all its faults (COBS 3.2.4). */
export type ReadPaymentOrder = {
  readonly order: PaymentOrder | undefined;
  readonly faults: readonly Fault[];
};

const DEBTOR_IBAN = "debtorAccount.identification.iban";
const CREDITOR_IBAN = "creditorAccount.identification.iban";

/** Table: names of the types in messages, because the request does not state its type. */
const KINDS: Readonly<Record<PaymentType, string>> = {
  domestic: "a domestic payment",
  sepa: "a SEPA payment",
  "inside-eea": "a foreign payment inside the EEA",
  "outside-eea": "a foreign payment outside the EEA",
};

/**
 * Reads the body of `POST /my/payments` (COBS 3.2.4), whose type it derives. It reports all faults that can be found
 * without asking for an account: FF01, FIELD_MISSING, FIELD_INVALID, AC02, AC03, AM11, AM12, BE19, DT01, NO_PART, RC07, RC10,
 * REC_SEND, RR03 and RR10. Numbers that JavaScript cannot hold come as `ReadNumber`. Not yet verified: whose the payer's
 * account is, its currency, and that the order is not a duplicate.
 */
export function readPaymentOrder(body: unknown, terms: BankTerms, now: Date): ReadPaymentOrder {
  if (!isObject(body)) return { order: undefined, faults: [NO_OBJECT] };
  const { type, read, faults } = readBody(body, terms, now);
  if (type === undefined || !isProven<PaymentRequest>(read, faults)) return { order: undefined, faults };
  return { order: makePaymentOrder(read, type), faults };
}

/**
 * Finds the faults of the body of `POST /my/payments` under any bank's terms, for when these are not known. With them the same
 * faults would be found, but with AC03 instead of FIELD_INVALID if the payee's account is the bank's own.
 */
export function findFaultsOfAnyBank(body: unknown, now: Date): readonly Fault[] {
  return isObject(body) ? readBody(body, undefined, now).faults : [NO_OBJECT];
}

function readBody(body: object, terms: BankTerms | undefined, now: Date) {
  const type = findPaymentType(body, terms);
  const place: Place = { path: "", faults: [], others: "ignored" };
  const read = readElement(PAYMENT_TREES[type ?? "unknown"], body, place);
  const faults = [
    ...place.faults.map((fault) => asInHouse(fault, body, terms)),
    ...findRuleFaults(saidBy(body, type), terms, now),
  ].map((fault) => withKind(fault, type));
  return { type, read, faults };
}

function saidBy(body: unknown, type: PaymentType | undefined): SaidByRequest {
  return {
    type,
    value: findAt(body, "amount.instructedAmount.value"),
    currency: findAt(body, "amount.instructedAmount.currency"),
    date: findAt(body, "requestedExecutionDate"),
    priority: findPriority(body),
    debtorIban: findAt(body, DEBTOR_IBAN),
    creditorIban: findAt(body, CREDITOR_IBAN),
  };
}

/** Reads the priority, absent or not, because the bank may not offer the default one; null counts as absent. */
function findPriority(body: unknown): unknown {
  const information = findAt(body, "paymentTypeInformation") ?? {};
  return isObject(information) ? (information.instructionPriority ?? DEFAULT_PRIORITY) : undefined;
}

/** A wrong account number of the bank itself has its own code (AC03, COBS 3.2.4), even if written for people. */
function asInHouse(fault: Fault, body: unknown, terms: BankTerms | undefined): Fault {
  const said = findAt(body, CREDITOR_IBAN);
  if (fault.path !== CREDITOR_IBAN || typeof said !== "string") return fault;
  const iban = said.replaceAll(" ", "").toUpperCase();
  const isOwn = iban.startsWith("CZ") && iban.slice(4, 8) === terms?.bankCode;
  return isOwn ? { ...fault, code: "AC03" } : fault;
}

/** Adds the type of the payment to a fault, which would be puzzling to a reader who assumed another type. */
function withKind(fault: Fault, type: PaymentType | undefined): Fault {
  if (type === undefined || !followsFromType(fault)) return fault;
  return { ...fault, message: `${fault.message}; this is ${KINDS[type]}` };
}

function followsFromType({ code, path }: Fault): boolean {
  if (code === "FIELD_MISSING") return path !== undefined && !isNeededByAll(path);
  return code === "RR03" || code === "BE19" || code === "NO_PART";
}
