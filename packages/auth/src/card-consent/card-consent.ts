/**
 * Consents to card issuers, which may then ask whether there is enough money on an account (COBS 3.3.3;
 * PSD2 Article 65). The PSU gives such a consent to the bank and not to the TPP. This folder owns these consents
 * and their end. The PSU's page and the bank's orders are in `http`; resource answers the card issuers.
 */
import type { AccountId, Iban, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { EndReason } from "../consent/consent.ts";
import { createRandomId, parseRandomId } from "../random-id.ts";

/** Identifies one consent to a card issuer. Not a secret. */
export type CardConsentId = string & { readonly brand: "CardConsentId" };

/** Who ended a consent to a card issuer. */
export type CardConsentEndedBy = "psu" | "bank";

/** Why it ended: those reasons of other consents that apply to it. */
export type CardConsentEndReason = Extract<EndReason, "withdrawn" | "bank_revoked" | "psu_blocked">;

/** What the PSU decided; never changed afterwards. */
export interface CardConsentTerms {
  readonly id: CardConsentId;
  readonly psu: PsuId;
  readonly organisationIdentifier: OrganisationIdentifier;
  /** From its last certificate here, else as the bank wrote it. */
  readonly organisationName: string | undefined;
  readonly account: AccountId;
  /** IBAN of the account: a card issuer knows the account by nothing else. */
  readonly iban: Iban;
  readonly givenAt: Date;
}

/** The PSU's decision and what became of it; active until somebody ends it. */
export type CardConsent = CardConsentTerms &
  (
    | { readonly state: "active" }
    | {
        readonly state: "ended";
        readonly endedAt: Date;
        readonly endedBy: CardConsentEndedBy;
        readonly reason: CardConsentEndReason;
      }
  );

/** Parses an id from a path or a form; undefined when it is malformed. */
export const parseCardConsentId = parseRandomId<CardConsentId>;

/** Makes a new id of 128 random bits. */
export const createCardConsentId = createRandomId<CardConsentId>;
