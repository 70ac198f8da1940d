import type { ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import type { Consent, ConsentTerms, EndedBy, EndReason } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";

/** How a consent ends before its time. */
export interface Ending {
  readonly by: EndedBy;
  readonly reason: EndReason;
  /** In which it ends. */
  readonly act: Act;
}

/** A consent that is about to be stored; the store counts its version. */
export type NewConsent = Omit<ConsentTerms, "version"> & {
  /** Names the approval on the consent page; the store keeps only its SHA-256. */
  readonly approval: string;
};

/**
 * The consents of all PSUs. They are durable, and never deleted here. All access depends on a consent: the provider's
 * grant is read from it, and ending it deletes its codes and tokens in the same transaction. Ending is final; ending
 * an ended consent changes nothing, and one whose time is over has expired for good then, whatever the clock says later.
 * Each ending is an event in the feed, and each decision and ending an entry in the audit log, written in the same
 * transaction. The database's clock decides.
 */
export interface ConsentStore {
  /**
   * Stores a consent, and ends every earlier one of the same application and PSU as superseded, or as expired. Returns false and
   * changes nothing when the approval was used before (of any number of parallel calls one succeeds), when the
   * application is gone or no longer has the services registered, or when the PSU is blocked or was blocked after the
   * sign-in.
   */
  give(consent: NewConsent, act: Act): Promise<boolean>;
  /** The consent that an approval has given, when it has neither ended nor expired. */
  findGiven(approval: string): Promise<Consent | undefined>;
  /** Ends one consent; false when it was not active. */
  end(id: ConsentId, ending: Ending): Promise<boolean>;
  /** The consent, when it has neither ended nor expired. */
  findActive(id: ConsentId): Promise<Consent | undefined>;
  /** What a PSU allows an application now, if anything. */
  findPresent(application: ApplicationId, psu: PsuId): Promise<Consent | undefined>;
  /** Every version that a PSU gave an application, newest first, at most 100. */
  history(application: ApplicationId, psu: PsuId): Promise<readonly Consent[]>;
}

/** Ends, inside a transaction that changes an application, its consents that need more than the services left to it. */
export type EndConsentsOfApplication = (
  queries: Queries,
  application: { readonly id: ApplicationId; readonly servicesLeft: readonly Scope[] },
  ending: Ending,
) => Promise<void>;
