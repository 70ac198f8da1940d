import { randomBytes } from "node:crypto";

/** One signing request, in the URL at which the PSU decides. It cannot be guessed, and opens nothing by itself. */
export type SigningRequestId = string & { readonly brand: "SigningRequestId" };

/** One approval of an order; unique for ever. */
export type ApprovalId = string & { readonly brand: "ApprovalId" };

const FORM = /^[A-Za-z0-9_-]{22}$/;

/** Takes the id of a signing request from a path or a store; undefined when it is none. */
export function parseSigningRequestId(text: unknown): SigningRequestId | undefined {
  return typeof text === "string" && FORM.test(text) ? (text as SigningRequestId) : undefined;
}

/** Makes a new id of 128 random bits. */
export function createSigningRequestId(): SigningRequestId {
  return randomBytes(16).toString("base64url") as SigningRequestId;
}

/** Makes a new id of 128 random bits. */
export function createApprovalId(): ApprovalId {
  return randomBytes(16).toString("base64url") as ApprovalId;
}
