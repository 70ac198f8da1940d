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
 * Result of giving a consent: of parallel calls for one PSU, TPP and IBAN, exactly one is `given`. `other_account`
 * returns the active consent for another account with the same IBAN, because a card issuer asks by IBAN alone.
 */
export type CardConsentOutcome =
  | { readonly result: "given" | "already_given" | "other_account"; readonly consent: CardConsent }
  | { readonly result: "psu_blocked" };

/** Most consents that a query for one account returns, one per holder: more than any account has. */
export const MOST_HOLDERS = 20;

/** How a consent to a card issuer ends. */
export interface CardConsentEnding {
  readonly by: CardConsentEndedBy;
  readonly reason: CardConsentEndReason;
  /** The act that ends it. */
  readonly act: Act;
}

/** Which consents to find; an undefined member does not restrict. */
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
 * The consents of all PSUs to card issuers. They are durable, and never deleted here: ended ones are kept for years
 * (`records`). One PSU has at most one active consent for a TPP and an IBAN; each holder of a joint account has their
 * own. Ending is final, and ending an ended consent changes nothing. Each ending is an event in the feed
 * (`card_consent`, or `psu_blocked` for all of a PSU), and each consent and ending an entry in the audit log, in the
 * same transaction.
 */
export interface CardConsentStore {
  /**
   * Stores a consent, or returns the active one instead. A blocked PSU cannot consent: a consent is stored before the
   * block and ends with it, or is not stored.
   */
  give(terms: Omit<CardConsentTerms, "givenAt">, act: Act): Promise<CardConsentOutcome>;
  /** Ends a consent; false when it was not active. */
  end(id: CardConsentId, ending: CardConsentEnding): Promise<boolean>;
  /** Finds all holders' active consents for a TPP and an IBAN, the oldest first, at most {@link MOST_HOLDERS}. Never cached. */
  findActive(of: {
    readonly organisationIdentifier: OrganisationIdentifier;
    readonly iban: Iban;
  }): Promise<readonly CardConsent[]>;
  find(id: CardConsentId): Promise<CardConsent | undefined>;
  /** Lists consents, newest first, at most `limit`; undefined when no consent `after` exists. */
  list(
    filter: CardConsentFilter,
    page: PageQuestion<CardConsentId>,
  ): Promise<readonly CardConsent[] | undefined>;
  /** Lists a PSU's active consents, and the ended ones sorted by their end. A page beyond the last gives the last. */
  pagesOf(
    psu: PsuId,
    wanted: Readonly<Record<CardConsent["state"], number>>,
  ): Promise<Readonly<Record<CardConsent["state"], CardConsentPage>>>;
  /** Counts the active and the ended consents of a PSU. */
  countOf(psu: PsuId): Promise<ConsentCounts>;
}
