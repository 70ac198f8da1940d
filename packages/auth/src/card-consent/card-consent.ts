/**
 * Which card issuers may ask whether there is enough money on an account (COBS 3.3.3; PSD2 Article 65). The PSU gives such a
 * consent to the bank and not to the TPP. This folder owns these consents and their end; the page on which PSUs see them
 * and the orders of the bank are in `http`, and what a card issuer is answered is resource's.
 */
import type { AccountId, Iban, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { EndReason } from "../consent/consent.ts";
import { createRandomId, parseRandomId } from "../random-id.ts";

/** Names one consent to a card issuer. Not a secret. */
export type CardConsentId = string & { readonly brand: "CardConsentId" };

/** Who ended such a consent. */
export type CardConsentEndedBy = "psu" | "bank";

/** Why it ended: of the reasons of other consents, those that it can have. */
export type CardConsentEndReason = Extract<EndReason, "withdrawn" | "bank_revoked" | "psu_blocked">;

/** What the PSU decided: never changed afterwards. */
export interface CardConsentTerms {
  readonly id: CardConsentId;
  readonly psu: PsuId;
  readonly organisationIdentifier: OrganisationIdentifier;
  /** That of its last certificate here, else as the bank wrote it. */
  readonly organisationName: string | undefined;
  readonly account: AccountId;
  /** Of the account: a card issuer knows it by nothing else. */
  readonly iban: Iban;
  readonly givenAt: Date;
}

/** The PSU's decision and what became of it; it lasts until somebody ends it. */
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

/** Takes an id from a path or a form; undefined when it is none. */
export const parseCardConsentId = parseRandomId<CardConsentId>;

/** Makes a new one of 128 random bits. */
export const createCardConsentId = createRandomId<CardConsentId>;
