import { randomUUID } from "node:crypto";
import { isIdOfAuth } from "../auth-answers/id-of-auth.ts";

/** One payment: `transactionIdentification` and the `paymentId` of paths (COBS 3.2.4.2). 32 hexadecimal digits, 122 random bits. */
export type PaymentId = string & { readonly brand: "PaymentId" };

/** One attempt to have a payment approved (COBS `signId`), formed as a {@link PaymentId}. */
export type SignId = string & { readonly brand: "SignId" };

/** A signing request, as auth names it. */
export type SigningRequestId = string & { readonly brand: "SigningRequestId" };

/** One approval of an order, as auth names it; unique for ever. */
export type ApprovalId = string & { readonly brand: "ApprovalId" };

const OWN = /^[0-9a-f]{32}$/;

/** Makes a new id: within Max35Text, and in characters that every path and every file of payments takes (COBS A-10). */
export function createPaymentId(): PaymentId {
  return createOwnId() as PaymentId;
}

/** Makes a new id, formed as that of a payment. */
export function createSignId(): SignId {
  return createOwnId() as SignId;
}

function createOwnId(): string {
  return randomUUID().replaceAll("-", "");
}

/** Takes the id of a payment from a path; undefined when it cannot be one. */
export function findPaymentId(text: unknown): PaymentId | undefined {
  return typeof text === "string" && OWN.test(text) ? (text as PaymentId) : undefined;
}

/** Takes the id of a signing from a path; undefined when it cannot be one. */
export function findSignId(text: unknown): SignId | undefined {
  return typeof text === "string" && OWN.test(text) ? (text as SignId) : undefined;
}

/** Takes the id of a signing request from what auth says; undefined when it cannot be one. */
export function findSigningRequestId(text: unknown): SigningRequestId | undefined {
  return isIdOfAuth(text) ? (text as SigningRequestId) : undefined;
}

/** Takes the id of an approval from what auth says; undefined when it cannot be one. */
export function findApprovalId(text: unknown): ApprovalId | undefined {
  return isIdOfAuth(text) ? (text as ApprovalId) : undefined;
}
