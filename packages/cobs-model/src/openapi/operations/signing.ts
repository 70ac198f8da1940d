import type { DescribedOperation } from "../described-operation.ts";
import { SIGN_ID } from "../examples/payments.ts";
import type { Json, RequestBody } from "../openapi-document.ts";
import { parameterOf, schemaOf } from "../references.ts";
import { forbidden, NO_PAYMENT_RIGHT } from "../responses/api-answers.ts";
import { type ApiError, apiErrors } from "../responses/error-answers.ts";
import { FOR_PAYMENTS } from "../security.ts";
import { RESOURCE_HEADERS } from "./call-headers.ts";
import {
  answered,
  EVERY_ANSWER_TO_BODY,
  EVERY_PAYMENT_ANSWER,
  NO_SUCH_PAYMENT,
  PAST_SIGNING,
  UNREADABLE,
  WRONG_HEADERS,
} from "./payment-answers.ts";

const PAYMENT = "/cobs/2.0/my/payments/{paymentId}";
const SIGNING = `${PAYMENT}/sign/{signId}`;
const OPEN = { state: "OPEN", signId: SIGN_ID };
const METHOD = "USERAGENT_REDIRECT";
const CALL = [parameterOf("User-Involved"), ...RESOURCE_HEADERS];
const IN_SIGNING = [parameterOf("paymentId"), parameterOf("signId"), ...CALL];
const SHARED = {
  host: "resource",
  tags: ["Payments"],
  security: FOR_PAYMENTS,
} as const;

/** When an error occurs, and its message. */
type Told = Pick<ApiError, "when" | "message" | "scope">;

const UNKNOWN = apiErrors("You have no such payment, or it has no such authorization.", [
  {
    code: "ID_NOT_FOUND",
    when: "the payment is unknown, deleted, or does not belong to this TPP and PSU",
    scope: "paymentId",
    message: "there is no such payment",
  },
  {
    code: "ID_NOT_FOUND",
    when: "the payment has no such authorization",
    scope: "signId",
    message: "there is no such authorization of this payment",
  },
]);

/** Faults of the step that begins an authorization, or of the one that finishes it; the two check different things. */
const wrongStep = (wrongMember: Told, over: Told): readonly ApiError[] => [
  UNREADABLE,
  {
    code: "FIELD_MISSING",
    when: "the body names no method",
    scope: "authorizationType",
    message: "authorizationType is missing",
  },
  { code: "FIELD_INVALID", ...wrongMember },
  {
    code: "AUTH_LIMIT_EXCEEDED",
    when: "the bank does not offer the method",
    scope: "authorizationType",
    message: `authorizationType must be ${METHOD}, the only method`,
  },
  { code: "AUTH_LIMIT_EXCEEDED", scope: "signId", ...over },
  ...WRONG_HEADERS,
];

const WRONG_START: readonly ApiError[] = [
  ...wrongStep(
    {
      when: "the method is not a text, or `redirectUrl` is not an address or not one that the application has registered; the latter is reported once nothing else is wrong",
      scope: "redirectUrl",
      message:
        "redirectUrl must be registered for the application; only its query may differ, in the characters of RFC 3986",
    },
    {
      when: "the authorization has ended without a signature and cannot continue (COBS 3.2.10)",
      message: "this authorization has ended",
    },
  ),
  {
    code: "AUTH_LIMIT_EXCEEDED",
    when: "the PSU has signed already",
    scope: "signId",
    message: "this authorization is signed already, as its GET and PUT tell",
  },
];

const WRONG_OUTCOME = wrongStep(
  {
    when: "the method is not a text, or is longer than 35 characters",
    scope: "authorizationType",
    message: "authorizationType must be the code of a method, of at most 35 characters",
  },
  {
    when: "the authorization has ended without a signature and cannot continue (COBS 3.2.11)",
    message: "this authorization has ended",
  },
);

const sentAs = (schema: string, value: Json): RequestBody => ({
  description: "The method.",
  required: true,
  content: {
    "application/json": {
      schema: schemaOf(schema),
      examples: { redirect: { summary: "the PSU's browser is sent to the bank", value } },
    },
  },
});

const SIGNING_EXAMPLES = {
  open: { summary: "waiting for the PSU", value: { scenarios: [[METHOD]], signInfo: OPEN } },
};

const OPENING: DescribedOperation = {
  ...SHARED,
  method: "post",
  path: `${PAYMENT}/sign`,
  operationId: "beginSigning",
  summary: "Get an authorization of a payment",
  description:
    "R9, COBS 3.2.8. The call has no body. Returns the open authorization, or a new one if the last ended without a decision. The answer is 404 if the payment no longer needs an authorization, or has had too many.",
  parameters: [parameterOf("paymentId"), ...CALL],
  responses: {
    200: answered("An open authorization.", "Signing", SIGNING_EXAMPLES),
    400: apiErrors("A header is wrong.", WRONG_HEADERS),
    404: apiErrors("You have no such payment, or it cannot be approved.", [NO_SUCH_PAYMENT, PAST_SIGNING]),
    ...EVERY_PAYMENT_ANSWER,
  },
};

const STATE: DescribedOperation = {
  ...SHARED,
  method: "get",
  path: SIGNING,
  operationId: "readSigning",
  summary: "The state of an authorization",
  description:
    "R10, COBS 3.2.9. Works for any authorization that the payment has had. `HEAD` returns only the headers.",
  parameters: IN_SIGNING,
  responses: {
    200: answered("The authorization.", "Signing", {
      ...SIGNING_EXAMPLES,
      signed: {
        summary: "signed",
        value: { scenarios: [[METHOD]], signInfo: { ...OPEN, state: "DONE" } },
      },
    }),
    400: apiErrors("A header is wrong.", WRONG_HEADERS),
    404: UNKNOWN,
    ...EVERY_PAYMENT_ANSWER,
  },
};

const START: DescribedOperation = {
  ...SHARED,
  method: "post",
  path: SIGNING,
  operationId: "chooseSigningMethod",
  summary: "Begin the approval of a payment",
  description:
    "R11, COBS 3.2.10. Send the PSU's browser to `href.url`, where the PSU sees the payment and approves it. The page then says that the payment is approved, and has a button that leads back to you. The browser may return late or never, but `GET` shows the outcome at once. Until the PSU has decided, repeating the call gives the same address; the browser returns to the address in the last call. Once the authorization is signed or has ended, the call is refused with `AUTH_LIMIT_EXCEEDED`; `GET` shows which.",
  parameters: IN_SIGNING,
  requestBody: sentAs("SigningStep", {
    authorizationType: METHOD,
    redirectUrl: "https://tpp.example/payment-done",
  }),
  responses: {
    200: answered("Where to send the PSU's browser.", "SigningStart", {
      redirect: {
        summary: "to a page of the bank",
        value: {
          authorizationType: METHOD,
          href: { url: "https://bank.example/sign/Vq3mT1sXo0b9LwEr5cYzAg", id: SIGN_ID },
          method: "GET",
          signInfo: OPEN,
        },
      },
    }),
    400: apiErrors("The step or a header is wrong.", WRONG_START),
    404: UNKNOWN,
    ...EVERY_ANSWER_TO_BODY,
    403: forbidden(...NO_PAYMENT_RIGHT, {
      code: "FORBIDDEN",
      when: "the application may no longer initiate payments",
      message: "the application may no longer initiate payments",
    }),
  },
};

const OUTCOME: DescribedOperation = {
  ...SHARED,
  method: "put",
  path: SIGNING,
  operationId: "finishSigning",
  summary: "Ask whether the PSU has approved the payment",
  description:
    "R12, COBS 3.2.11. The call completes nothing, because the PSU does that on the bank's page. `GET` shows how an authorization without a signature ended.",
  parameters: IN_SIGNING,
  requestBody: sentAs("SigningMethod", { authorizationType: METHOD }),
  responses: {
    200: answered("The progress of the authorization.", "SigningOutcome", {
      open: { summary: "waiting for the PSU", value: { state: "OPEN", pollInterval: 2000 } },
      signed: { summary: "signed", value: { state: "DONE" } },
    }),
    400: apiErrors("The step or a header is wrong.", WRONG_OUTCOME),
    404: UNKNOWN,
    ...EVERY_ANSWER_TO_BODY,
  },
};

/** Operations R9 to R12. */
export const SIGNING_OPERATIONS: readonly DescribedOperation[] = [OPENING, STATE, START, OUTCOME];
