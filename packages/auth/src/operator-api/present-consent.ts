import type { UsedConsent } from "../consent/consent-search.ts";

/** Presents a consent in the operator API. */
export function presentConsent(consent: UsedConsent) {
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
    ...presentEnd(consent),
  };
}

/** `endedBy` is null for an expired consent, because nobody ended it. */
function presentEnd(consent: UsedConsent) {
  switch (consent.state) {
    case "active":
      return { endedAt: null, endedBy: null, endReason: null };
    case "expired":
      return { endedAt: consent.validUntil.toISOString(), endedBy: null, endReason: "expired" };
    case "revoked": {
      const { endedAt, endedBy, reason } = consent;
      return { endedAt: endedAt.toISOString(), endedBy, endReason: reason };
    }
  }
}
