/** Answers that payments, their authorizations and balance checks share. */
import { EVERY_ANSWER } from "../headers.ts";
import type { Response } from "../openapi-document.ts";
import { responseOf, schemaOf } from "../references.ts";
import {
  EVERY_API_ANSWER,
  forbidden,
  LOST_CONSENT,
  MALFORMED_CALL,
  NO_PAYMENT_RIGHT,
  NO_TOKEN,
  unauthorised,
  WRONG_CERTIFICATE,
  WRONG_TOKEN,
} from "../responses/api-answers.ts";
import type { ApiError } from "../responses/error-answers.ts";
import { WRONG_INVOLVEMENT } from "./accounts.ts";

type Examples = NonNullable<NonNullable<Response["content"]>[string]["examples"]>;

/** Answers of all these resources; if the bank takes no orders, an admitted TPP can only get 501, whatever its token. */
export const EVERY_PAYMENT_ANSWER = {
  ...EVERY_API_ANSWER,
  403: responseOf("ApiForbiddenToPay"),
  501: responseOf("ApiNotOffered"),
};

/** The same answers for resources that take a body. */
export const EVERY_ANSWER_TO_BODY = { ...EVERY_PAYMENT_ANSWER, 413: responseOf("ApiTooLarge") };

/**
 * The same answers for resources where the standard has a code for a consent that does not cover them (COBS 3.2.3, 3.2.4,
 * A-63), with further reasons for 403.
 */
export function refusingConsent(...others: readonly ApiError[]): Readonly<Record<string, Response>> {
  return {
    401: unauthorised(
      "The certificate or the token is missing or not valid. The answer does not say why a token is not valid.",
      WRONG_CERTIFICATE,
      NO_TOKEN,
      WRONG_TOKEN,
    ),
    403: forbidden(...NO_PAYMENT_RIGHT, { code: "AG01", ...LOST_CONSENT }, ...others),
  };
}

/** Faults in the headers of any of these calls. */
export const WRONG_HEADERS: readonly ApiError[] = [WRONG_INVOLVEMENT, MALFORMED_CALL];

/** The body cannot be read (COBS 3.2.4). */
export const UNREADABLE: ApiError = {
  code: "FF01",
  when: "the body is not JSON, is not an object, or has a member twice",
  message: "the body is not an object",
};

/** The caller may know of no such payment. */
export const NO_SUCH_PAYMENT: ApiError = {
  code: "TRANSACTION_MISSING",
  when: "the payment is unknown, deleted, or does not belong to this TPP and PSU",
  scope: "paymentId",
  message: "there is no such payment of this TPP",
};

/** The same error on resources that concern no PSU. */
export const NO_SUCH_PAYMENT_OF_TPP: ApiError = {
  ...NO_SUCH_PAYMENT,
  when: "the payment is unknown, deleted, or does not belong to this TPP",
};

/** The payment may be read, but no longer deleted. */
export const PAST_DELETION: ApiError = {
  ...NO_SUCH_PAYMENT,
  when: "the payment was approved, or has ended",
  message: "this payment can no longer be deleted: it was approved, or has ended",
};

/** The payment may be read, but no longer signed. */
export const PAST_SIGNING: ApiError = {
  ...NO_SUCH_PAYMENT,
  when: "the payment was approved, has ended, or has had as many authorizations as it may have",
  message:
    "this payment can no longer be signed: it was approved, has ended, or has had as many authorizations as it may have",
};

/** The certificate lacks the role of card issuers. */
export const NO_ISSUER_ROLE: ApiError = {
  code: "FORBIDDEN",
  when: "the certificate lacks the role",
  message: "This resource needs a certificate with the role PSP_IC.",
};

/** Describes a 200 answer with a body of a schema. */
export function answered(description: string, schema: string, examples: Examples): Response {
  const content = { "application/json": { schema: schemaOf(schema), examples } };
  return { description, headers: EVERY_ANSWER, content };
}
