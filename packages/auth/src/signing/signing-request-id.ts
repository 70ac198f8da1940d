import { createRandomId, parseRandomId } from "../random-id.ts";

/** Id of a signing request, part of the URL at which the PSU decides. It cannot be guessed, and alone gives access to nothing. */
export type SigningRequestId = string & { readonly brand: "SigningRequestId" };

/** Id of one approval of an order; never reused. */
export type ApprovalId = string & { readonly brand: "ApprovalId" };

/** Parses the id of a signing request from a path or a store; undefined when malformed. */
export const parseSigningRequestId = parseRandomId<SigningRequestId>;

/** Creates an id of 128 random bits. */
export const createSigningRequestId = createRandomId<SigningRequestId>;

/** Creates an id of 128 random bits. */
export const createApprovalId = createRandomId<ApprovalId>;
