import type { UsedConsent } from "../consent/consent-search.ts";

/** A consent as the operator API gives it. */
export function presentConsent(consent: UsedConsent) {
  const isRevoked = consent.state === "revoked";
  const endedAt = isRevoked ? consent.endedAt : consent.state === "expired" ? consent.validUntil : undefined;
  return {
    consentId: consent.id,
    state: consent.state,
    psu: consent.psu,
    applicationId: consent.applicationId,
    organisationIdentifier: consent.organisationIdentifier,
    version: consent.version,
    services: consent.services,
    accounts: consent.accounts,
    givenAt: consent.givenAt.toISOString(),
    authenticatedAt: consent.authenticatedAt.toISOString(),
    validUntil: consent.validUntil.toISOString(),
    lastUsedAt: consent.lastUsedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    endedBy: isRevoked ? consent.endedBy : null,
    endReason: isRevoked ? consent.reason : null,
  };
}
