import { createRandomId, parseRandomId } from "../random-id.ts";

/** One signing request, in the URL at which the PSU decides. It cannot be guessed, and opens nothing by itself. */
export type SigningRequestId = string & { readonly brand: "SigningRequestId" };

/** One approval of an order; unique for ever. */
export type ApprovalId = string & { readonly brand: "ApprovalId" };

/** Takes the id of a signing request from a path or a store; undefined when it is none. */
export const parseSigningRequestId = parseRandomId<SigningRequestId>;

/** Makes a new one of 128 random bits. */
export const createSigningRequestId = createRandomId<SigningRequestId>;

/** Makes a new one of 128 random bits. */
export const createApprovalId = createRandomId<ApprovalId>;
