/** Table: faults that a payment order may have (COBS 3.2.4). */
import type { ApiError } from "../responses/error-answers.ts";
import { UNREADABLE } from "./payment-answers.ts";

const DEBTOR = "debtorAccount.identification.iban";
const CREDITOR = "creditorAccount.identification.iban";
const AMOUNT = "amount.instructedAmount.value";
const BIC = "creditorAgent.financialInstitutionIdentification.bic";
const CLEARING = "creditorAgent.financialInstitutionIdentification.clearingSystemMemberIdentification";
const PRIORITY = "paymentTypeInformation.instructionPriority";
const INSTRUCTION = "paymentIdentification.instructionIdentification";

const OF_ELEMENTS: readonly ApiError[] = [
  {
    code: "FIELD_MISSING",
    when: "an element that this type of payment needs is missing",
    scope: "debtorAccount",
    message: "debtorAccount is missing",
  },
  {
    code: "FIELD_INVALID",
    when: "an element is malformed or too long",
    scope: "remittanceInformation.unstructured",
    message: "remittanceInformation.unstructured must be text of at most 140 characters",
  },
  {
    code: "FIELD_INVALID",
    when: "`Idempotency-Key` is malformed, or was used before with another body",
    scope: "Idempotency-Key",
    message: "Idempotency-Key was already used for a different request",
  },
  {
    code: "RR03",
    when: "the payee of a SEPA or foreign payment has no name, or the payee of a payment outside the EEA no address",
    scope: "creditor.name",
    message: "creditor.name is missing; this is a SEPA payment",
  },
  {
    code: "RR10",
    when: "a text has characters that cannot be sent (COBS 3.2.1; the introduction lists those that can), or an identification has a slash at either end or next to another slash (A-10)",
    scope: "remittanceInformation.unstructured",
    message: "remittanceInformation.unstructured has & (U+0026), which is not permitted",
  },
];

const OF_ACCOUNTS: readonly ApiError[] = [
  {
    code: "AC02",
    when: "the payer's account is not an IBAN, is closed, is not the PSU's, or is not in a consent that names accounts",
    scope: DEBTOR,
    message: "the PSU has no such account, or this consent does not cover it",
  },
  {
    code: "AC03",
    when: "the payee's account at this bank is malformed, unknown or closed, or is not kept in the currency",
    scope: CREDITOR,
    message: "the payee's account does not exist, or is closed",
  },
  {
    code: "AC10",
    when: "the payer's account is not kept in the currency of `debtorAccount`",
    scope: "debtorAccount.currency",
    message: "the account is not kept in this currency",
  },
  {
    code: "AC12",
    when: "the payer's account is not a payment account",
    scope: DEBTOR,
    message: "the account is not a payment account",
  },
  {
    code: "REC_SEND",
    when: "payee and payer are the same account",
    scope: CREDITOR,
    message: "payee and payer are the same",
  },
  {
    code: "RC07",
    when: "the BIC of the payee's bank is malformed",
    scope: BIC,
    message: `${BIC} is not a BIC`,
  },
  {
    code: "RC10",
    when: "the clearing code of the payee's bank is not a code of its clearing system",
    scope: CLEARING,
    message: `${CLEARING} is not a code of its clearing system`,
  },
];

const OF_AMOUNT: readonly ApiError[] = [
  {
    code: "AM11",
    when: "the bank does not pay in this currency; `parameters` list the currencies in which it does",
    scope: "amount.instructedAmount.currency",
    parameters: { CURRENCY_ALLOWED: ["CZK", "EUR", "USD"] },
    message: "amount.instructedAmount.currency is not a currency of this bank",
  },
  {
    code: "AM12",
    when: "the amount is not above zero, has too many decimals, or is too large; `parameters` give the limit",
    scope: AMOUNT,
    parameters: { CURRENCY: "EUR", LIMIT: 999_999_999.99 },
    message: `${AMOUNT} is too large`,
  },
  {
    code: "BE19",
    when: "`chargeBearer` is not possible for this type of payment",
    scope: "chargeBearer",
    message: "chargeBearer must not be sent; this is a domestic payment",
  },
];

const OF_TIME: readonly ApiError[] = [
  {
    code: "DT01",
    when: "the date is malformed, in the past, too far ahead, or not possible for an instant payment; `parameters` give the last possible day",
    scope: "requestedExecutionDate",
    parameters: { DATE: "DATE_IN_FUTURE", LIMIT: "2024-08-01" },
    message: "requestedExecutionDate is too far ahead",
  },
  {
    code: "NO_PART",
    when: "the bank does not offer this priority (`NORM` if you name none) for this type of payment; `parameters` list the priorities that it offers",
    scope: PRIORITY,
    parameters: { ALLOWED_PRIORITY_TYPES: ["NORM", "HIGH"] },
    message: `${PRIORITY} is INST, which is not offered; this is a foreign payment inside the EEA`,
  },
];

const DUPLICATE: ApiError = {
  code: "AM05",
  when: "you have used this `instructionIdentification` for another payment; `parameters` give its id",
  scope: INSTRUCTION,
  parameters: { TRANSACTION_IDENTIFICATION: "51b2c7d80f3e4a6c9b1d2e3f4a5b6c7d" },
  message: `${INSTRUCTION} was already used for the payment with this transactionIdentification`,
};

/** All faults of a payment order. */
export const PAYMENT_FAULTS: readonly ApiError[] = [
  UNREADABLE,
  ...OF_ELEMENTS,
  ...OF_ACCOUNTS,
  ...OF_AMOUNT,
  ...OF_TIME,
  DUPLICATE,
];
