import type { PsuId, Scope } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Act } from "../audit/act.ts";
import type { AuditAction, AuditEntry } from "../audit/audit-entry.ts";
import type { ConsentTerms, EndReason } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";
import type { Ending } from "./consent-store.ts";

/** What an audit entry says about an ended consent. */
export interface EndedConsent {
  readonly id: ConsentId;
  readonly application_id: string;
  readonly psu_id: PsuId;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly services: readonly Scope[];
}

/** A consent that an act was to end. If its time was already over, it has expired instead, and `expired_at` says when. */
export interface EndedByAct extends EndedConsent {
  readonly expired_at: Date | null;
}

/** The TPP's action that caused the ending, for endings that have one. */
const CAUSES: Readonly<Partial<Record<EndReason, AuditAction>>> = {
  code_reused: "code.reused",
  refresh_token_revoked: "token.revoked",
};

/** Makes the entry of a given consent. It has only the number of accounts; the consent says which, as long as it is kept. */
export function recordGiven(act: Act, consent: Omit<ConsentTerms, "version">): AuditEntry {
  const details = {
    psu: consent.psu,
    application: consent.applicationId,
    tpp: consent.organisationIdentifier,
    services: consent.services,
    accounts: consent.accounts.length,
    authenticatedAt: consent.authenticatedAt.toISOString(),
    validUntil: consent.validUntil.toISOString(),
  };
  return { act, action: "consent.given", subject: { kind: "consent", id: consent.id }, details };
}

/** Makes the entry of an expired consent. */
export function recordExpired(
  act: Act,
  { validUntil, ...ended }: EndedConsent & { readonly validUntil: Date },
): AuditEntry {
  const details = { ...about(ended), validUntil: validUntil.toISOString() };
  return { act, action: "consent.expired", subject: { kind: "consent", id: ended.id }, details };
}

/** Whether the act ended the consent, and not its own expiry before. */
export const isEndedByAct = ({ expired_at: expiredAt }: EndedByAct) => expiredAt === null;

/** Makes the entries of consents that an act was to end: as {@link recordEnded}, or as the expiry job does for expired ones. */
export function recordEndedByAct(ending: Ending, all: readonly EndedByAct[]): readonly AuditEntry[] {
  const { requestId } = ending.act;
  const byServer: Act = { actor: { kind: "server", part: "consent expiry" }, requestId };
  return all.flatMap(({ expired_at: validUntil, ...ended }) =>
    validUntil === null ? recordEnded(ending, ended) : [recordExpired(byServer, { ...ended, validUntil })],
  );
}

/** Makes the entries of an ended consent: the TPP's action that caused it, if any, then the ending. */
export function recordEnded({ act, by, reason }: Ending, ended: EndedConsent): readonly AuditEntry[] {
  const subject = { kind: "consent", id: ended.id } as const;
  const cause = CAUSES[reason];
  const kind = cause === "token.revoked" ? { kind: "RefreshToken" } : {};
  return [
    ...(cause === undefined ? [] : [{ act, action: cause, subject, details: { ...about(ended), ...kind } }]),
    { act, action: "consent.ended", subject, details: { ...about(ended), by, reason } },
  ];
}

function about({ psu_id: psu, application_id: application, organisation_identifier: tpp }: EndedConsent) {
  return { psu, application, tpp };
}
