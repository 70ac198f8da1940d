import { findBic } from "../bic.ts";
import { findCurrencyCode } from "../currency-code.ts";
import { readElement } from "../element-reader.ts";
import type { Fault } from "../refusal.ts";
import { isObject } from "../transaction-formats.ts";
import { makePaymentOrder } from "./make-payment-order.ts";
import { PAYMENT_TREES } from "./payment-elements.ts";
import type { BankTerms, PaymentOrder, PaymentType } from "./payment-order.ts";
import { findAt, type PaymentRequest } from "./payment-request.ts";
import { findRuleFaults } from "./payment-rules.ts";
import { derivePaymentType } from "./payment-type.ts";

/** An order, or what is wrong with it: all of it at once (COBS 5.2.6). */
export type ReadPaymentOrder = {
  readonly order: PaymentOrder | undefined;
  readonly faults: readonly Fault[];
};

const DEBTOR_IBAN = "debtorAccount.identification.iban";
const CREDITOR_IBAN = "creditorAccount.identification.iban";
const CREDITOR_NUMBER = "creditorAccount.identification.other.identification";
const CREDITOR_BIC = "creditorAgent.financialInstitutionIdentification.bic";

/** What looks like an IBAN has a country and a bank, whether or not its digits are right. */
const LIKE_AN_IBAN = /^([A-Z]{2})\d{2}([A-Za-z0-9]{4})/;

/**
 * Reads the body of `POST /my/payments` (COBS 3.2.4), whose type it derives. The faults are all that can be told
 * without asking for an account: FF01, FIELD_MISSING, FIELD_INVALID, AC02, AC03, AM11, AM12, BE19, DT01, NO_PART, RC07,
 * RC10, REC_SEND, RR03 and RR10. Numbers that JavaScript cannot hold come as `ExactNumber`. Not yet verified: whose the
 * payer's account is, its currency, and that the order was not given before.
 */
export function readPaymentOrder(body: unknown, terms: BankTerms, now: Date): ReadPaymentOrder {
  if (!isObject(body))
    return { order: undefined, faults: [{ code: "FF01", path: undefined, message: "not an object" }] };
  const type = typeOf(body, terms);
  const elementFaults: Fault[] = [];
  const read = readElement(PAYMENT_TREES[type ?? "unknown"], body, {
    path: "",
    faults: elementFaults,
    others: "ignored",
  });
  const faults = [
    ...elementFaults.map((fault) => asInHouse(fault, body, terms)),
    ...findRuleFaults(saidBy(body, type), terms, now),
  ];
  if (type === undefined || !isProven(read, faults)) return { order: undefined, faults };
  return { order: makePaymentOrder(read, type), faults };
}

function typeOf(body: unknown, terms: BankTerms): PaymentType | undefined {
  const iban = findAt(body, CREDITOR_IBAN) ?? undefined;
  const [, ibanCountry, bankCode] = (typeof iban === "string" && LIKE_AN_IBAN.exec(iban)) || [];
  const signs = {
    currency: findCurrencyCode(findAt(body, "amount.instructedAmount.currency")),
    ibanCountry,
    bankCode,
    hasNumber: iban === undefined && (findAt(body, CREDITOR_NUMBER) ?? undefined) !== undefined,
    bicCountry: findBic(findAt(body, CREDITOR_BIC))?.slice(4, 6),
  };
  return derivePaymentType(signs, terms);
}

function saidBy(body: unknown, type: PaymentType | undefined): Parameters<typeof findRuleFaults>[0] {
  return {
    type,
    value: findAt(body, "amount.instructedAmount.value"),
    currency: findAt(body, "amount.instructedAmount.currency"),
    date: findAt(body, "requestedExecutionDate"),
    priority: findAt(body, "paymentTypeInformation.instructionPriority"),
    debtorIban: findAt(body, DEBTOR_IBAN),
    creditorIban: findAt(body, CREDITOR_IBAN),
  };
}

/** A wrong number of an account of the bank itself has a code of its own (AC03, COBS 5.2.6). */
function asInHouse(fault: Fault, body: unknown, { bankCode }: BankTerms): Fault {
  const iban = findAt(body, CREDITOR_IBAN);
  const isOwn = typeof iban === "string" && iban.startsWith("CZ") && iban.slice(4, 8) === bankCode;
  return isOwn && fault.path === CREDITOR_IBAN ? { ...fault, code: "AC03" } : fault;
}

/** What the table and the rules have nothing against is a payment; the compiler cannot see that by itself. */
function isProven(_read: unknown, faults: readonly Fault[]): _read is PaymentRequest {
  return faults.length === 0;
}
