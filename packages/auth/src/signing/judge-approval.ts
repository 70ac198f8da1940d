import type { KeyObject } from "node:crypto";
import { isBoundCode } from "./bound-code.ts";
import type {
  ApprovalElement,
  ApprovalMethod,
  OrderProof,
  SigningMove,
  WaitingSigningRequest,
} from "./signing-request.ts";
import { createApprovalId } from "./signing-request-id.ts";

/** Number of wrong elements after which a request is refused (RTS Article 4(3)(b)). */
export const MOST_TRIES = 5;

/** A PSU's attempt to approve: how they signed in, and the element for this order. */
export interface ApprovalAttempt {
  readonly signedInBy: readonly ApprovalMethod[];
  readonly element: ApprovalElement;
}

/** Returns the move that an attempt to approve makes. The caller has proven that the PSU is that of the request. */
export function judgeApproval(
  key: KeyObject,
  { signedInBy, element }: ApprovalAttempt,
  now: Date,
): (request: WaitingSigningRequest) => SigningMove {
  return (request) => {
    if (isGood(key, { request, element }, now)) {
      const methods = [...signedInBy, element.element];
      return { move: "approve", approval: { id: createApprovalId(), digest: request.order.digest, methods } };
    }
    if (request.tries + 1 < MOST_TRIES) return { move: "count_try" };
    return { move: "refuse", reason: "tries_exhausted" };
  };
}

function isGood(
  key: KeyObject,
  { request, element }: { readonly request: WaitingSigningRequest; readonly element: ApprovalElement },
  now: Date,
): boolean {
  switch (element.element) {
    case "delivered_code":
      return isBoundCode(key, { request, ...element, kept: request.code }, now);
    case "passkey":
      return element.proof !== undefined && isOfOrder(element.proof, request);
  }
}

/** Compared again under the lock, with the order as it is then. */
function isOfOrder({ psu, request: id, digest }: OrderProof, request: WaitingSigningRequest): boolean {
  return psu === request.psu && id === request.id && digest.equals(request.order.digest);
}
