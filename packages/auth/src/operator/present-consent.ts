import type { Consent } from "../consent/consent.ts";

/** A consent as the operator API gives it. */
export function presentConsent(consent: Consent) {
  const isRevoked = consent.state === "revoked";
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
    endedAt: isRevoked ? consent.endedAt.toISOString() : null,
    endedBy: isRevoked ? consent.endedBy : null,
    endReason: isRevoked ? consent.reason : null,
  };
}
