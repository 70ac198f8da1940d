import type { AccountId, ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { Consent } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";

/** Which consents are looked for; what is undefined does not matter. */
export interface ConsentFilter {
  readonly psu?: PsuId | undefined;
  readonly application?: ApplicationId | undefined;
  readonly tpp?: OrganisationIdentifier | undefined;
  /** One of the accounts that they cover. */
  readonly account?: AccountId | undefined;
  readonly state?: Consent["state"] | undefined;
}

/** How many consents are active, and how many ended or expired. */
export interface ConsentCounts {
  readonly active: number;
  readonly ended: number;
}

/** A consent with its last use; it is written at most once a minute, and a few seconds late. */
export type UsedConsent = Consent & { readonly lastUsedAt: Date | undefined };

/** The consents of everybody, as people look for them: those that have ended too, newest first. */
export interface ConsentSearch {
  /**
   * At most `limit`; undefined when there is no consent `after`. One that has run out is among the expired ones as soon as
   * that is written, within seconds.
   */
  list(filter: ConsentFilter, page: PageQuestion<ConsentId>): Promise<readonly UsedConsent[] | undefined>;
  find(id: ConsentId): Promise<UsedConsent | undefined>;
  /** How many a PSU has, and had. */
  countOf(psu: PsuId): Promise<ConsentCounts>;
}
