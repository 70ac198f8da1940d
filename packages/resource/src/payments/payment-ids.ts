import { randomUUID } from "node:crypto";
import { isIdOfAuth } from "../auth-answers/id-of-auth.ts";

/**
 * Identifies a payment: `transactionIdentification`, and `paymentId` in paths (COBS 3.2.4.2). 32 hexadecimal digits, 122
 * random bits.
 */
export type PaymentId = string & { readonly brand: "PaymentId" };

/** Identifies an attempt to have a payment approved (COBS `signId`), in the form of a {@link PaymentId}. */
export type SignId = string & { readonly brand: "SignId" };

/** A signing request, as auth names it. */
export type SigningRequestId = string & { readonly brand: "SigningRequestId" };

/** Identifies an approval of an order, as auth names it; never used again. */
export type ApprovalId = string & { readonly brand: "ApprovalId" };

const OWN = /^[0-9a-f]{32}$/;

/** Creates a new id within Max35Text, in characters that every path and every payment file accepts (COBS A-10). */
export function createPaymentId(): PaymentId {
  return createOwnId() as PaymentId;
}

/** Creates a new id in the form of a payment's. */
export function createSignId(): SignId {
  return createOwnId() as SignId;
}

function createOwnId(): string {
  return randomUUID().replaceAll("-", "");
}

/** Parses the id of a payment from a path; undefined when it cannot be one. */
export function findPaymentId(text: unknown): PaymentId | undefined {
  return typeof text === "string" && OWN.test(text) ? (text as PaymentId) : undefined;
}

/** Parses the id of a signing from a path; undefined when it cannot be one. */
export function findSignId(text: unknown): SignId | undefined {
  return typeof text === "string" && OWN.test(text) ? (text as SignId) : undefined;
}

/** Parses the id of a signing request from an answer of auth; undefined when it cannot be one. */
export function findSigningRequestId(text: unknown): SigningRequestId | undefined {
  return isIdOfAuth(text) ? (text as SigningRequestId) : undefined;
}

/** Parses the id of an approval from an answer of auth; undefined when it cannot be one. */
export function findApprovalId(text: unknown): ApprovalId | undefined {
  return isIdOfAuth(text) ? (text as ApprovalId) : undefined;
}
