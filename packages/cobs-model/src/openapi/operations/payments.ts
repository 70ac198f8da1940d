import type { DescribedOperation } from "../described-operation.ts";
import {
  PAYMENT_DETAIL_EXAMPLES,
  PAYMENT_EXAMPLES,
  PAYMENT_ORDER_EXAMPLES,
  PAYMENT_STATUS_EXAMPLES,
} from "../examples/payments.ts";
import { COME_BACK, EVERY_ANSWER } from "../headers.ts";
import { parameterOf, schemaOf } from "../references.ts";
import {
  NEW_TOKENS,
  TOO_MANY_AT_ONCE,
  UNUSABLE_TOKENS,
  unauthorised,
  WRONG_CERTIFICATE,
  WRONG_CONSENT,
  WRONG_TOKEN,
} from "../responses/api-answers.ts";
import { type ApiError, apiErrors } from "../responses/error-answers.ts";
import { FOR_PAYMENT_STATUS, FOR_PAYMENTS } from "../security.ts";
import { HEADERS_WITHOUT_TPP_NAME, RESOURCE_HEADERS } from "./call-headers.ts";
import {
  answered,
  EVERY_ANSWER_TO_BODY,
  EVERY_PAYMENT_ANSWER,
  NO_SUCH_PAYMENT,
  NO_SUCH_PAYMENT_OF_TPP,
  PAST_DELETION,
  refusingConsent,
  WRONG_HEADERS,
} from "./payment-answers.ts";
import { PAYMENT_FAULTS } from "./payment-faults.ts";

const PAYMENTS = "/cobs/2.0/my/payments";
const IN_PAYMENT = [parameterOf("paymentId"), parameterOf("User-Involved"), ...RESOURCE_HEADERS];
const ABOUT_PAYMENT = {
  400: apiErrors("A header is wrong.", WRONG_HEADERS),
  404: apiErrors("You have no such payment.", [NO_SUCH_PAYMENT]),
  ...EVERY_PAYMENT_ANSWER,
};

const ENTERED_TOO_OFTEN: ApiError = {
  code: "NARR",
  when: "you have entered too many payments in a minute; `parameters` give the time when the next one is accepted. Until then, only a payment already known under its `Idempotency-Key` and a body that cannot be read as JSON (`FF01`) get their usual answers",
  parameters: { CONTINUES_AT: "2024-05-02T06:00:00.100Z" },
  message:
    "you have entered too many payments for now; a payment sent again with its Idempotency-Key is still answered",
};

const ENTRY: DescribedOperation = {
  host: "resource",
  method: "post",
  path: PAYMENTS,
  operationId: "enterPayment",
  tags: ["Payments"],
  summary: "Enter a payment",
  description:
    "R5, COBS 3.2.4. Nothing is paid until the PSU has approved it on the bank's page: continue with `signInfo.signId`. A payment that is not approved in time expires. Send an `Idempotency-Key`, so that you can repeat a call whose answer was lost: you then get the payment as it was entered.",
  security: FOR_PAYMENTS,
  parameters: [parameterOf("Idempotency-Key"), parameterOf("User-Involved"), ...RESOURCE_HEADERS],
  requestBody: {
    description:
      "The order. All faults in the order itself are reported at once, together with AC02 and AC10 for the paying account. AC03, AC12, and AM11 for an exchange follow once those are corrected.",
    required: true,
    content: { "application/json": { schema: schemaOf("PaymentOrder"), examples: PAYMENT_ORDER_EXAMPLES } },
  },
  responses: {
    200: answered("The payment as it was accepted (A-68).", "Payment", PAYMENT_EXAMPLES),
    400: apiErrors("The order or a header is wrong.", [...PAYMENT_FAULTS, ...WRONG_HEADERS]),
    ...EVERY_ANSWER_TO_BODY,
    ...refusingConsent(),
    429: apiErrors(
      "You have reached a limit.",
      [ENTERED_TOO_OFTEN, UNUSABLE_TOKENS, NEW_TOKENS, TOO_MANY_AT_ONCE],
      COME_BACK,
    ),
  },
};

const STATUS: DescribedOperation = {
  host: "resource",
  method: "get",
  path: "/cobs/2.0/payments/{paymentId}/status",
  operationId: "readPaymentStatus",
  tags: ["Payments"],
  summary: "The status of a payment",
  description:
    "R6, COBS 3.2.5. For the TPP that entered the payment. No token is needed; if you send one, it must be valid, but makes no difference. `HEAD` returns only the headers.",
  security: FOR_PAYMENT_STATUS,
  parameters: IN_PAYMENT,
  responses: {
    200: answered("The status at this moment.", "PaymentStatus", PAYMENT_STATUS_EXAMPLES),
    ...ABOUT_PAYMENT,
    401: unauthorised(
      "The certificate is missing or not valid, or the token that you sent is not valid. The answer says why a token is not valid only if its consent no longer covers this.",
      WRONG_CERTIFICATE,
      WRONG_TOKEN,
      WRONG_CONSENT,
    ),
    404: apiErrors("You have no such payment.", [NO_SUCH_PAYMENT_OF_TPP]),
  },
};

const DETAIL: DescribedOperation = {
  host: "resource",
  method: "get",
  path: `${PAYMENTS}/{paymentId}`,
  operationId: "readPayment",
  tags: ["Payments"],
  summary: "A payment as it was entered",
  description:
    "R7, COBS 3.2.6. Possible in every state except deleted (A-66). `HEAD` returns only the headers.",
  security: FOR_PAYMENTS,
  parameters: IN_PAYMENT,
  responses: {
    200: answered("The payment and its status.", "Payment", PAYMENT_DETAIL_EXAMPLES),
    ...ABOUT_PAYMENT,
  },
};

const DELETION: DescribedOperation = {
  host: "resource",
  method: "delete",
  path: `${PAYMENTS}/{paymentId}`,
  operationId: "deletePayment",
  tags: ["Payments"],
  summary: "Delete a payment that was not approved",
  description:
    "R8, COBS 3.2.7. Afterwards the payment can no longer be approved or read. A payment that was approved, was refused or has expired cannot be deleted: 404 (A-64).",
  security: FOR_PAYMENTS,
  parameters: [parameterOf("paymentId"), parameterOf("User-Involved"), ...HEADERS_WITHOUT_TPP_NAME],
  responses: {
    200: { description: "Deleted; the answer has no body.", headers: EVERY_ANSWER },
    ...ABOUT_PAYMENT,
    404: apiErrors("You have no such payment, or it can no longer be deleted.", [
      NO_SUCH_PAYMENT,
      PAST_DELETION,
    ]),
  },
};

/** Operations R5 to R8. */
export const PAYMENT_OPERATIONS: readonly DescribedOperation[] = [ENTRY, STATUS, DETAIL, DELETION];
