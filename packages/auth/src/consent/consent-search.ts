import type { AccountId, ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { Consent } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";

/** Which consents to find; an undefined member does not restrict. */
export interface ConsentFilter {
  readonly psu?: PsuId | undefined;
  readonly application?: ApplicationId | undefined;
  readonly tpp?: OrganisationIdentifier | undefined;
  /** An account that the consents cover. */
  readonly account?: AccountId | undefined;
  readonly state?: Consent["state"] | undefined;
}

/** How many consents are active, and how many ended or expired. */
export interface ConsentCounts {
  readonly active: number;
  readonly ended: number;
}

/** A consent with its last use, which is written at most once a minute, and a few seconds late. */
export type UsedConsent = Consent & { readonly lastUsedAt: Date | undefined };

/** The consents of all PSUs, for people to search: ended ones included, newest first. */
export interface ConsentSearch {
  /**
   * Lists at most `limit`; undefined when no consent `after` exists. A consent counts as expired once that is written,
   * within seconds of its end.
   */
  list(filter: ConsentFilter, page: PageQuestion<ConsentId>): Promise<readonly UsedConsent[] | undefined>;
  find(id: ConsentId): Promise<UsedConsent | undefined>;
  /** Counts the active and the ended consents of a PSU. */
  countOf(psu: PsuId): Promise<ConsentCounts>;
}
