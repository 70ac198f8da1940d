import type { Iban, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import type { ConsentCounts } from "../consent/consent-search.ts";
import type {
  CardConsent,
  CardConsentEndedBy,
  CardConsentEndReason,
  CardConsentId,
  CardConsentTerms,
} from "./card-consent.ts";

/**
 * What became of a consent that was to be given: of any number at once for one PSU, TPP and IBAN, exactly one is `given`.
 * `other_account` has the one in force for another account with the same IBAN, by which alone a card issuer asks.
 */
export type CardConsentOutcome =
  | { readonly result: "given" | "already_given" | "other_account"; readonly consent: CardConsent }
  | { readonly result: "psu_blocked" };

/** Of so many holders of one account consents are told: more than any account has. */
export const MOST_HOLDERS = 20;

/** How such a consent ends. */
export interface CardConsentEnding {
  readonly by: CardConsentEndedBy;
  readonly reason: CardConsentEndReason;
  /** In which it ends. */
  readonly act: Act;
}

/** Which consents are looked for; what is undefined does not matter. */
export interface CardConsentFilter {
  readonly psu?: PsuId | undefined;
  readonly tpp?: OrganisationIdentifier | undefined;
  readonly state?: CardConsent["state"] | undefined;
}

/** One page of the consents of a PSU, counted from 1. */
export interface CardConsentPage {
  readonly consents: readonly CardConsent[];
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
}

/**
 * The consents of all PSUs to card issuers, durable, and never deleted here: once ended they are kept for years (`records`).
 * One PSU has at most one at a time for a TPP and an IBAN; holders of a joint account have each their own. Ending is final,
 * and ending an ended consent changes nothing. Each ending is told in the event feed (`card_consent`, or `psu_blocked` for all
 * of a PSU), and each consent and ending recorded in the audit log, in the same transaction.
 */
export interface CardConsentStore {
  /**
   * Stores a consent, or gives the one that is in force instead. A blocked PSU gives none: it is stored before the block, and
   * ends with it, or not at all.
   */
  give(terms: Omit<CardConsentTerms, "givenAt">, act: Act): Promise<CardConsentOutcome>;
  /** Ends one; false when it was not active. */
  end(id: CardConsentId, ending: CardConsentEnding): Promise<boolean>;
  /** Those in force of anybody for this TPP and IBAN, the oldest first, at most {@link MOST_HOLDERS}. Never cached. */
  findActive(of: {
    readonly organisationIdentifier: OrganisationIdentifier;
    readonly iban: Iban;
  }): Promise<readonly CardConsent[]>;
  find(id: CardConsentId): Promise<CardConsent | undefined>;
  /** Newest first, at most `limit`; undefined when there is none `after`. */
  list(
    filter: CardConsentFilter,
    page: PageQuestion<CardConsentId>,
  ): Promise<readonly CardConsent[] | undefined>;
  /** Those of a PSU that are active, or those that have ended, which come by their end; a page beyond the last is the last. */
  pageOf(
    psu: PsuId,
    which: { readonly state: CardConsent["state"]; readonly page: number },
  ): Promise<CardConsentPage>;
  /** How many a PSU has, and had. */
  countOf(psu: PsuId): Promise<ConsentCounts>;
}
