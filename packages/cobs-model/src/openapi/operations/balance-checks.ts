import type { DescribedOperation } from "../described-operation.ts";
import { BALANCE_CHECK_EXAMPLES, BALANCE_QUESTION_EXAMPLES } from "../examples/balance-checks.ts";
import { COME_BACK } from "../headers.ts";
import { parameterOf, schemaOf } from "../references.ts";
import {
  forbidden,
  NEW_TOKENS,
  TOO_MANY_AT_ONCE,
  UNUSABLE_TOKENS,
  unauthorised,
  WRONG_CERTIFICATE,
} from "../responses/api-answers.ts";
import { type ApiError, apiErrors } from "../responses/error-answers.ts";
import { BY_CERTIFICATE, FOR_PAYMENTS } from "../security.ts";
import { HEADERS_WITHOUT_TPP_NAME, RESOURCE_HEADERS } from "./call-headers.ts";
import {
  answered,
  EVERY_ANSWER_TO_BODY,
  NO_ISSUER_ROLE,
  refusingConsent,
  UNREADABLE,
  WRONG_HEADERS,
} from "./payment-answers.ts";

const IBAN = "debtorAccount.identification.iban";
const AMOUNT = "transactionDetails.totalAmount";

const WRONG_QUESTION: readonly ApiError[] = [
  UNREADABLE,
  {
    code: "FIELD_MISSING",
    when: "an element is missing",
    scope: "merchant.identification",
    message: "merchant.identification is missing",
  },
  {
    code: "FIELD_INVALID",
    when: "an element is malformed or too long",
    scope: "card.maskedPan",
    message:
      "card.maskedPan must be a masked card number: at most 30 digits, spaces and asterisks, of which at most 12 are digits",
  },
  {
    code: "RR10",
    when: "a text has characters that are not permitted",
    scope: "exchangeIdentification",
    message: "exchangeIdentification has * (U+002A), which is not permitted",
  },
  {
    code: "RF01",
    when: "you have used `exchangeIdentification` in the last 24 hours",
    scope: "exchangeIdentification",
    message: "exchangeIdentification was used in the last 24 hours",
  },
  {
    code: "AC02",
    when: "the account is not an IBAN, or is closed",
    scope: IBAN,
    message: "the PSU has no such account, or this consent does not cover it",
  },
  {
    code: "AC09",
    when: "the account is not kept in the currency of `debtorAccount`, or it is not a currency",
    scope: "debtorAccount.currency",
    message: "the account is not kept in this currency",
  },
  {
    code: "AC12",
    when: "the account is not a payment account",
    scope: IBAN,
    message: "the account is not a payment account",
  },
  {
    code: "AM11",
    when: "the bank does not exchange the currency of the amount",
    scope: "transactionDetails.currency",
    message: "the bank does not exchange this currency",
  },
  {
    code: "AM12",
    when: "the amount is not above zero, or has more than 18 digits or more decimals than its currency",
    scope: AMOUNT,
    message: `${AMOUNT} must be above zero`,
  },
  ...WRONG_HEADERS,
];

const NOT_AGREED: ApiError = {
  code: "AG01",
  when: "no PSU has agreed that you may ask about this account, or there is no such account; reported before any fault in the question",
  scope: IBAN,
  message: "there is no such account, or nobody has agreed that you may ask about it",
};

const ASKED_TOO_OFTEN: ApiError = {
  code: "NARR",
  when: "you have asked too many questions in an hour, or about too many different amounts, which could reveal the balance; `parameters` give the time when you may ask again",
  parameters: { CONTINUES_AT: "2024-05-03T06:00:00.000Z" },
  message:
    "you have sent too many questions about this account for now, or asked about too many different amounts on it; in the latter case, you may still ask about amounts that you have asked about before",
};

const NOT_AGREED_TOO_OFTEN: ApiError = {
  code: "NARR",
  when: "you have asked about too many accounts without a consent; `parameters` give the time when you may ask about another. You may still ask about accounts that you have just got an answer for",
  parameters: { CONTINUES_AT: "2024-05-02T06:00:00.100Z" },
  message:
    "you have asked about too many accounts that do not exist or have no consent for you; you may still ask about those for which you just got an answer",
};

const tooOften = (...others: readonly ApiError[]) =>
  apiErrors("You have reached a limit.", [ASKED_TOO_OFTEN, ...others, TOO_MANY_AT_ONCE], COME_BACK);

/** Members that both operations share. */
const SHARED: Pick<
  DescribedOperation,
  "host" | "method" | "tags" | "parameters" | "requestBody" | "responses"
> = {
  host: "resource",
  method: "post",
  tags: ["Balance check"],
  parameters: [parameterOf("User-Involved"), ...RESOURCE_HEADERS],
  requestBody: {
    description:
      "The question. All faults in the question itself are reported at once. Faults that the bank finds in the account and its currencies (AC02, AC09, AC12, AM11) follow, one after another.",
    required: true,
    content: {
      "application/json": { schema: schemaOf("BalanceCheckQuestion"), examples: BALANCE_QUESTION_EXAMPLES },
    },
  },
  responses: {
    200: answered("Whether the funds are available.", "BalanceCheck", BALANCE_CHECK_EXAMPLES),
    400: apiErrors("The question or a header is wrong.", WRONG_QUESTION),
    ...EVERY_ANSWER_TO_BODY,
  },
};

/** Operations R4 and R13. */
export const BALANCE_CHECK_OPERATIONS: readonly DescribedOperation[] = [
  {
    ...SHARED,
    path: "/cobs/2.0/my/payments/balanceCheck",
    operationId: "checkBalanceOfPayer",
    tags: ["Payments"],
    summary: "Check the balance for a payment",
    description:
      "R4, COBS 3.2.3. For an account that you may pay from: one in the consent, or any account of the PSU if the consent is only for payments. No amount is blocked.",
    security: FOR_PAYMENTS,
    responses: {
      ...SHARED.responses,
      ...refusingConsent(NOT_AGREED),
      429: tooOften(UNUSABLE_TOKENS, NEW_TOKENS),
    },
  },
  {
    ...SHARED,
    path: "/cobs/2.0/accounts/balanceCheck",
    operationId: "checkBalanceForCard",
    summary: "Check the balance for a card payment",
    description:
      "R13, COBS 3.3.3. For card issuers, about an account whose holder has agreed with the bank that you may ask (A-79). No amount is blocked.",
    security: BY_CERTIFICATE,
    parameters: [parameterOf("User-Involved"), ...HEADERS_WITHOUT_TPP_NAME],
    responses: {
      ...SHARED.responses,
      401: unauthorised("The certificate is missing or not valid.", WRONG_CERTIFICATE),
      403: forbidden(NO_ISSUER_ROLE, NOT_AGREED),
      429: tooOften(NOT_AGREED_TOO_OFTEN),
    },
  },
];
