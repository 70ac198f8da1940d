import type { Act } from "./act.ts";

/** All that can be done. */
export const AUDIT_ACTIONS = [
  "application.changed",
  "application.deleted",
  "application.registered",
  "application.secret_renewed",
  "audit.archived",
  "authenticator.enrolled",
  "card_consent.ended",
  "card_consent.given",
  "certificate.blocked",
  "certificate.released",
  "code.reused",
  "consent.ended",
  "consent.expired",
  "consent.given",
  "credential.added",
  "credential.removed",
  "key.announced",
  "key.dropped",
  "key.retired",
  "operator.read",
  "psu.blocked",
  "psu.not_notified",
  "psu.notified",
  "psu.released",
  "psu.sign_in_blocked",
  "psu.sign_in_refused",
  "psu.sign_ins_unrecorded",
  "psu.signed_in",
  "redis.epoch_ended",
  "signing.approved",
  "signing.cancelled",
  "signing.code_made",
  "signing.code_undelivered",
  "signing.expired",
  "signing.refused",
  "signing.requested",
  "signing.try_failed",
  "token.revoked",
  "tpp.blocked",
  "tpp.released",
] as const;

/** What was done. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What it was done to; the id is one that may be shown to people, never what somebody could present. */
export interface AuditSubject {
  readonly kind:
    | "application"
    | "audit"
    | "card_consent"
    | "certificate"
    | "consent"
    | "credential"
    | "ephemeral"
    | "key"
    | "psu"
    | "signing_request"
    | "token"
    | "tpp";
  readonly id: string;
}

/**
 * What else an auditor needs to know. Never a secret, token, code or password; texts of strangers are cut at
 * {@link MAX_DETAIL_LENGTH} characters, lists at {@link MAX_DETAIL_ITEMS} items.
 */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Longest text of a detail, in UTF-16 code units. */
export const MAX_DETAIL_LENGTH = 500;

/** Longest list of a detail. */
export const MAX_DETAIL_ITEMS = 200;

/** One entry before it has a place: who, in which call, did what to what. */
export interface AuditEntry {
  readonly act: Act;
  readonly action: AuditAction;
  readonly subject: AuditSubject;
  readonly details?: AuditDetails;
}
