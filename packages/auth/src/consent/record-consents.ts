import type { PsuId, Scope } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Act } from "../audit/act.ts";
import type { AuditAction, AuditEntry } from "../audit/audit-entry.ts";
import type { ConsentTerms, EndReason } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";
import type { Ending } from "./consent-store.ts";

/** What the audit needs to know of a consent that has ended. */
export interface EndedConsent {
  readonly id: ConsentId;
  readonly application_id: string;
  readonly psu_id: PsuId;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly services: readonly Scope[];
}

/** A consent that somebody has ended. Its time may have been over before: then it has expired, and not by their act. */
export interface EndedByAct extends EndedConsent {
  readonly expired_at: Date | null;
}

/** What came before the ending and was its cause, on the part of a TPP. */
const CAUSES: Readonly<Partial<Record<EndReason, AuditAction>>> = {
  code_reused: "code.reused",
  refresh_token_revoked: "token.revoked",
};

/** The entry of a consent that was given. Of accounts how many: which ones stands with the consent, as long as that is kept. */
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

/** The entry of a consent whose time is over. */
export function recordExpired(
  act: Act,
  { validUntil, ...ended }: EndedConsent & { readonly validUntil: Date },
): AuditEntry {
  const details = { ...about(ended), validUntil: validUntil.toISOString() };
  return { act, action: "consent.expired", subject: { kind: "consent", id: ended.id }, details };
}

/** Whether a consent ended by the act, and not because its time was over before. */
export const isEndedByAct = ({ expired_at: expiredAt }: EndedByAct) => expiredAt === null;

/** The entries of consents that an act has ended, or found to be over: as {@link recordEnded}, or as the job writes them. */
export function recordEndedByAct(ending: Ending, all: readonly EndedByAct[]): readonly AuditEntry[] {
  const { requestId } = ending.act;
  const byServer: Act = { actor: { kind: "server", part: "consent expiry" }, requestId };
  return all.flatMap(({ expired_at: validUntil, ...ended }) =>
    validUntil === null ? recordEnded(ending, ended) : [recordExpired(byServer, { ...ended, validUntil })],
  );
}

/** The entries of a consent that has ended: that it did, after its cause if it had one of its own. */
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
