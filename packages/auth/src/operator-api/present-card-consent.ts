import type { CardConsent } from "../card-consent/card-consent.ts";

/** Presents a consent to a card issuer in the operator API. */
export function presentCardConsent(consent: CardConsent) {
  const ended = consent.state === "ended" ? consent : undefined;
  return {
    cardConsentId: consent.id,
    state: consent.state,
    psu: consent.psu,
    organisationIdentifier: consent.organisationIdentifier,
    organisationName: consent.organisationName ?? null,
    accountId: consent.account,
    iban: consent.iban,
    givenAt: consent.givenAt.toISOString(),
    endedAt: ended?.endedAt.toISOString() ?? null,
    endedBy: ended?.endedBy ?? null,
    endReason: ended?.reason ?? null,
  };
}
