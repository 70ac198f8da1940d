import type { Act } from "../audit/act.ts";
import type { AuditAction, AuditDetails, AuditEntry } from "../audit/audit-entry.ts";
import type { FeedEvent, FeedEventKind } from "../feed/feed-event.ts";
import { returnPlace } from "./return-url.ts";
import type { SigningMove, SigningRequest, SigningTerms } from "./signing-request.ts";

/** That an order was sent, for the first time or again with another certificate. */
type Asked = "request" | "request_again";

/** The audit log's name for each move. */
const ACTIONS: Readonly<Record<SigningMove["move"] | Asked, AuditAction>> = {
  request: "signing.requested",
  request_again: "signing.requested_again",
  approve: "signing.approved",
  refuse: "signing.refused",
  cancel: "signing.cancelled",
  expire: "signing.expired",
  count_try: "signing.try_failed",
  replace_code: "signing.code_made",
  drop_code: "signing.code_undelivered",
};

/** Moves that resource is told of. A cancellation is not among them: whoever cancelled knows of it. */
const EVENTS: Readonly<Partial<Record<SigningMove["move"], FeedEventKind>>> = {
  approve: "signing_approved",
  refuse: "signing_refused",
  expire: "signing_expired",
};

/** Builds the audit entry of a move. The digest names the order; its content is not copied. */
export function presentEntry(request: SigningRequest, move: SigningMove | Asked, act: Act): AuditEntry {
  const action = ACTIONS[typeof move === "string" ? move : move.move];
  const subject = { kind: "signing_request", id: request.id } as const;
  const terms = { ...request, digest: request.order.digest };
  return { act, action, subject, details: { ...aboutSigning(terms), ...outcomeOf(request, move) } };
}

/** Lists the events by which resource learns of a move. */
export function eventsOf({ id }: SigningRequest, { move }: SigningMove): readonly FeedEvent[] {
  const kind = EVENTS[move];
  return kind === undefined ? [] : [{ kind, key: id }];
}

/** Members of any request that the audit entry names. */
type RecordedTerms = Pick<
  SigningTerms,
  "paymentId" | "signId" | "psu" | "organisationIdentifier" | "applicationId"
> & { readonly digest: Buffer };

/** Audit details of an order: its payment, PSU, TPP, application and digest. */
export function aboutSigning(terms: RecordedTerms): AuditDetails {
  const { paymentId, signId, psu, organisationIdentifier: tpp, applicationId: application } = terms;
  return { paymentId, signId, psu, tpp, application, digest: terms.digest.toString("base64url") };
}

function outcomeOf(request: SigningRequest, move: SigningMove | Asked): AuditDetails {
  if (typeof move === "string") return { ...standingOf(request), ...sendingOf(request) };
  if (move.move === "cancel") return move.because === undefined ? {} : { reason: move.because };
  return standingOf(request);
}

/** With which certificates the order has come by now, and where the last of them has the PSU led back to. */
function sendingOf(request: SigningRequest): AuditDetails {
  return { certificates: request.certificates, returnUrl: returnPlace(request) };
}

function standingOf(request: SigningRequest): AuditDetails {
  switch (request.state) {
    case "approved":
      return { approvalId: request.approval.id, methods: request.approval.methods };
    case "refused":
      return { reason: request.reason };
    case "waiting":
      return { tries: request.tries, codesMade: request.codesMade };
    default:
      return {};
  }
}
