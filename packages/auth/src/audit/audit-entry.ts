import type { Act } from "./act.ts";

/** Every action that is recorded. */
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
  "signing.requested_again",
  "signing.try_failed",
  "token.revoked",
  "tpp.blocked",
  "tpp.released",
] as const;

/** One of {@link AUDIT_ACTIONS}. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Subject of an action. Its id may be shown to people; it is never a credential that somebody could present. */
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
 * Further facts for an auditor. Never a secret, token, code or password. Texts of strangers are cut at {@link MAX_DETAIL_LENGTH}
 * characters, lists at {@link MAX_DETAIL_ITEMS} items.
 */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Longest text of a detail, in UTF-16 code units. */
export const MAX_DETAIL_LENGTH = 500;

/** Longest list of a detail. */
export const MAX_DETAIL_ITEMS = 200;

/** An entry to append: who did what to what, and in which request. */
export interface AuditEntry {
  readonly act: Act;
  readonly action: AuditAction;
  readonly subject: AuditSubject;
  readonly details?: AuditDetails;
}
