import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { Consent, ConsentId, ConsentTerms, EndedBy, EndReason } from "./consent.ts";

/** How a consent ends before its time. */
export interface Ending {
  readonly by: EndedBy;
  readonly reason: EndReason;
}

/** A consent that is about to be stored; the store counts its version. */
export type NewConsent = Omit<ConsentTerms, "version">;

/**
 * The consents of all PSUs, durable, nothing ever deleted. What must be atomic with something else takes the
 * transaction (`Queries`) that it belongs to. Ending is final, and ending an ended consent changes nothing.
 */
export interface ConsentStore {
  /** Stores a consent and ends, as superseded, every earlier one of the same application and PSU with its grant. */
  give(queries: Queries, consent: NewConsent): Promise<void>;
  /** Ends consents with their grants, codes and tokens; gives the ids of those that were active. */
  end(queries: Queries, ids: readonly ConsentId[], ending: Ending): Promise<readonly ConsentId[]>;
  /** The consent, when it has neither ended nor expired. */
  findActive(id: ConsentId): Promise<Consent | undefined>;
  /** Every version that a PSU gave an application, newest first, at most 100. */
  history(application: ApplicationId, psu: PsuId): Promise<readonly Consent[]>;
}
