import type { ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import type { Consent, ConsentTerms, EndedBy, EndReason } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";

/** How a consent ends before its time. */
export interface Ending {
  readonly by: EndedBy;
  readonly reason: EndReason;
  /** The act that ends it. */
  readonly act: Act;
}

/** A consent to be stored; the store assigns its version. */
export type NewConsent = Omit<ConsentTerms, "version"> & {
  /** Identifies the approval on the consent page; the store keeps only its SHA-256. */
  readonly approval: string;
};

/**
 * The consents of all PSUs. They are durable, and never deleted here. All access depends on a consent: the provider's
 * grant is read from it, and ending it deletes its codes and tokens in the same transaction. Ending is final, and
 * ending an ended consent changes nothing. A consent past its time that someone ends is written as expired for good,
 * whatever the clock says later. Each ending is an event in the feed, and each decision and ending an entry in the
 * audit log, written in the same transaction. The database's clock decides.
 */
export interface ConsentStore {
  /**
   * Stores a consent, and ends every earlier one of the same application and PSU as superseded or expired. Returns
   * false and changes nothing when the approval was used before (of parallel calls exactly one succeeds), when the
   * application is gone or no longer has the services registered, or when the PSU is blocked or was blocked after the
   * sign-in.
   */
  give(consent: NewConsent, act: Act): Promise<boolean>;
  /** Finds the consent that an approval gave, if it has neither ended nor expired. */
  findGiven(approval: string): Promise<Consent | undefined>;
  /** Ends one consent; false when it was not active. */
  end(id: ConsentId, ending: Ending): Promise<boolean>;
  /** Finds a consent that has neither ended nor expired. */
  findActive(id: ConsentId): Promise<Consent | undefined>;
  /** Finds the active consent of a PSU to an application. */
  findPresent(application: ApplicationId, psu: PsuId): Promise<Consent | undefined>;
  /** Lists every version that a PSU gave an application, newest first, at most 100. */
  history(application: ApplicationId, psu: PsuId): Promise<readonly Consent[]>;
}

/** Ends those consents of an application that need a service it no longer has, inside the transaction that changes it. */
export type EndConsentsOfApplication = (
  queries: Queries,
  application: { readonly id: ApplicationId; readonly servicesLeft: readonly Scope[] },
  ending: Ending,
) => Promise<void>;
