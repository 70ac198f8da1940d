/**
 * Whether a PSU lets a card issuer ask if an account has enough money (COBS A-79). Auth keeps these consents; this folder
 * owns asking for them and remembering the answers for a moment. `balance-check` decides what the card issuer is answered.
 */
import type { AccountId, Iban, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { OnBehalf } from "@cobs/service-edge";

/** A consent that is in force. */
export interface CardConsent {
  /** The consent's id at auth. */
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
 * One answer of auth: the consents in force, each of another holder of the account, of which any is enough. `position` is
 * that of the event feed before auth looked, if auth named one.
 */
export interface CardConsentAnswer {
  readonly consents: readonly CardConsent[];
  readonly position: number | undefined;
}

/** Asks auth each time. Throws as {@link CardConsents} does, except for its limit. */
export interface AskedCardConsents {
  find(subject: CardConsentSubject, onBehalf: OnBehalf): Promise<CardConsentAnswer>;
}

/**
 * Finds consents, as fresh as a token's description must be. Throws `PrivateServiceUnavailable` when auth does not answer,
 * `CardConsentRefusal` when its answer cannot be believed, and `card_consent_limit` when the TPP has asked about too many
 * accounts without a consent. After each of these nothing is known.
 */
export interface CardConsents {
  find(subject: CardConsentSubject, onBehalf: OnBehalf): Promise<readonly CardConsent[]>;
}
