import { SIGNING_PATH } from "../pages/places.ts";
import type { SigningRequest } from "../signing/signing-request.ts";

/** Presents a signing request to resource; the digest identifies the order, which is not repeated. */
export function presentSigningRequest(request: SigningRequest, issuer: string): object {
  return {
    id: request.id,
    url: `${issuer}${SIGNING_PATH}/${request.id}`,
    paymentId: request.paymentId,
    signId: request.signId,
    digest: request.order.digest.toString("base64url"),
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    ...presentState(request),
  };
}

function presentState(request: SigningRequest): object {
  const { state } = request;
  if (request.state === "waiting") return { state };
  const decided = { state, decidedAt: request.decidedAt.toISOString() };
  if (request.state === "refused") return { ...decided, reason: request.reason };
  if (request.state === "cancelled" && request.because !== undefined)
    return { ...decided, because: request.because };
  if (request.state !== "approved") return decided;
  const { id, digest, methods } = request.approval;
  const approvedAt = decided.decidedAt;
  return { ...decided, approval: { id, digest: digest.toString("base64url"), methods, approvedAt } };
}
