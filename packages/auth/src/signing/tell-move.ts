import type { Act } from "../audit/act.ts";
import type { AuditAction, AuditDetails, AuditEntry } from "../audit/audit-entry.ts";
import type { FeedEvent, FeedEventKind } from "../feed/feed-event.ts";
import type { SigningMove, SigningRequest } from "./signing-request.ts";

/** What the audit log calls a move. */
const ACTIONS: Readonly<Record<SigningMove["move"] | "request", AuditAction>> = {
  request: "signing.requested",
  approve: "signing.approved",
  refuse: "signing.refused",
  cancel: "signing.cancelled",
  expire: "signing.expired",
  count_try: "signing.try_failed",
  replace_code: "signing.code_made",
  drop_code: "signing.code_undelivered",
};

/** Who cancelled knows it. */
const EVENTS: Readonly<Partial<Record<SigningMove["move"], FeedEventKind>>> = {
  approve: "signing_approved",
  refuse: "signing_refused",
  expire: "signing_expired",
};

/** The entry of a move. The digest names the order; nothing of what it says is written down a second time. */
export function presentEntry(request: SigningRequest, move: SigningMove | "request", act: Act): AuditEntry {
  const action = ACTIONS[move === "request" ? move : move.move];
  const subject = { kind: "signing_request", id: request.id } as const;
  return { act, action, subject, details: { ...detailsOf(request), ...outcomeOf(request) } };
}

/** What resource is told of a move. */
export function eventsOf({ id }: SigningRequest, { move }: SigningMove): readonly FeedEvent[] {
  const kind = EVENTS[move];
  return kind === undefined ? [] : [{ kind, key: id }];
}

function detailsOf(request: SigningRequest): AuditDetails {
  return {
    paymentId: request.paymentId,
    signId: request.signId,
    psu: request.psu,
    organisationIdentifier: request.organisationIdentifier,
    applicationId: request.applicationId,
    digest: request.order.digest.toString("base64url"),
  };
}

function outcomeOf(request: SigningRequest): AuditDetails {
  switch (request.state) {
    case "approved":
      return { approvalId: request.approval.id, methods: request.approval.methods };
    case "refused":
      return { reason: request.reason };
    case "cancelled":
      return request.because === undefined ? {} : { reason: request.because };
    case "waiting":
      return { tries: request.tries, codesMade: request.codesMade };
    default:
      return {};
  }
}
