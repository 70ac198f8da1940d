/**
 * Whether a PSU lets a card issuer ask if there is enough money on an account (COBS A-79). Auth keeps these consents; this folder
 * owns asking for them and remembering the answers for a moment. What is answered to the card issuer is decided in
 * `balance-check`.
 */
import type { AccountId, Iban, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { OnBehalf } from "@cobs/service-edge";

/** A consent that is in force. */
export interface CardConsent {
  /** As auth names it. */
  readonly id: string;
  readonly psu: PsuId;
  readonly account: AccountId;
}

/** What a card issuer asks about. */
export interface CardConsentSubject {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly iban: Iban;
}

/**
 * What auth answered once: the consents in force, each of another holder of the account, of which any serves; `position` is that
 * of the event feed before it looked, if auth named one.
 */
export interface CardConsentAnswer {
  readonly consents: readonly CardConsent[];
  readonly position: number | undefined;
}

/** Asks auth, each time. Throws as {@link CardConsents} does, but for its limit. */
export interface AskedCardConsents {
  find(subject: CardConsentSubject, onBehalf: OnBehalf): Promise<CardConsentAnswer>;
}

/**
 * Finds consents, as fresh as the description of a token must be. Throws `PrivateServiceUnavailable` when auth does not
 * answer, `IntrospectionRefusal` when its answer cannot be believed, `card_consent_limit` when the TPP has asked about too
 * many accounts without one; all mean that nothing is known.
 */
export interface CardConsents {
  find(subject: CardConsentSubject, onBehalf: OnBehalf): Promise<readonly CardConsent[]>;
}
