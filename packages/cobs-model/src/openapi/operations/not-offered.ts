/** Table: resources of the standard that are admitted and then answered with 501 (R4 to R13). */
import type { DescribedOperation } from "../described-operation.ts";
import type { OperationMethod, SecurityRequirement } from "../openapi-document.ts";
import { parameterOf, responseOf } from "../references.ts";
import { EVERY_API_ANSWER } from "../responses/api-answers.ts";
import { BY_CERTIFICATE, FOR_PAYMENT_STATUS, FOR_PAYMENTS } from "../security.ts";
import { RESOURCE_HEADERS } from "./call-headers.ts";

type NotOffered = {
  readonly id: string;
  readonly clause: string;
  readonly method: OperationMethod;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly SecurityRequirement[];
  readonly tag?: string;
};

const PAYMENT = "/cobs/2.0/my/payments/{paymentId}";
const SIGNING = `${PAYMENT}/sign/{signId}`;

const RESOURCES: readonly NotOffered[] = [
  {
    ...{ id: "R4", clause: "3.2.3", method: "post", path: "/cobs/2.0/my/payments/balanceCheck" },
    ...{ operationId: "checkBalanceOfPayer", summary: "Is there enough money for a payment?" },
  },
  {
    ...{ id: "R5", clause: "3.2.4", method: "post", path: "/cobs/2.0/my/payments" },
    ...{ operationId: "enterPayment", summary: "Enter a payment" },
  },
  {
    ...{ id: "R6", clause: "3.2.5", method: "get", path: "/cobs/2.0/payments/{paymentId}/status" },
    ...{ operationId: "readPaymentStatus", summary: "How far a payment is", security: FOR_PAYMENT_STATUS },
  },
  {
    ...{ id: "R7", clause: "3.2.6", method: "get", path: PAYMENT },
    ...{ operationId: "readPayment", summary: "A payment as it was entered" },
  },
  {
    ...{ id: "R8", clause: "3.2.7", method: "delete", path: PAYMENT },
    ...{ operationId: "deletePayment", summary: "Delete a payment that was not approved" },
  },
  {
    ...{ id: "R9", clause: "3.2.8", method: "post", path: `${PAYMENT}/sign` },
    ...{ operationId: "beginSigning", summary: "Begin the approval of a payment" },
  },
  {
    ...{ id: "R10", clause: "3.2.9", method: "get", path: SIGNING },
    ...{ operationId: "readSigning", summary: "How far the approval of a payment is" },
  },
  {
    ...{ id: "R11", clause: "3.2.10", method: "post", path: SIGNING },
    ...{ operationId: "chooseSigningMethod", summary: "Choose how a payment is approved" },
  },
  {
    ...{ id: "R12", clause: "3.2.11", method: "put", path: SIGNING },
    ...{ operationId: "finishSigning", summary: "Finish the approval of a payment" },
  },
  {
    ...{ id: "R13", clause: "3.3.3", method: "post", path: "/cobs/2.0/accounts/balanceCheck" },
    ...{ operationId: "checkBalanceForCard", summary: "Is there enough money for a card payment?" },
    ...{ security: BY_CERTIFICATE, tag: "Balance check" },
  },
];

/** R4 to R13, until the bank offers them. */
export const NOT_OFFERED_OPERATIONS: readonly DescribedOperation[] = RESOURCES.map(describe);

function describe(resource: NotOffered): DescribedOperation {
  const {
    id,
    clause,
    method,
    path,
    operationId,
    summary,
    security = FOR_PAYMENTS,
    tag = "Payments",
  } = resource;
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => parameterOf(name));
  return {
    ...{ host: "resource", method, path, operationId, summary, security, tags: [tag] },
    description: `${id}, COBS ${clause}. Not offered: who may call it is answered with 501, anybody else as everywhere.`,
    parameters: [...parts, ...RESOURCE_HEADERS],
    responses: { 400: responseOf("ApiMalformed"), ...EVERY_API_ANSWER, 501: responseOf("ApiNotOffered") },
  };
}
