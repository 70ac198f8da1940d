import type { Application, PsuId } from "@cobs/cobs-model";
import type { KnownTpp } from "../tpp/tpp-store.ts";
import type { Consent } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";
import type { UsedConsent } from "./consent-search.ts";

/** A consent as its PSU sees it: with the company that has it, and its application. */
export interface PsuConsent {
  readonly consent: UsedConsent;
  readonly tpp: Pick<KnownTpp, "organisationIdentifier" | "organisationName" | "authority">;
  /** Undefined when it is not registered any more. */
  readonly application: Pick<Application, "clientName" | "localizedNames"> | undefined;
}

/** One page of a list, counted from 1. */
export interface PsuConsentPage {
  readonly consents: readonly PsuConsent[];
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
}

/** The consents of one PSU at a time, newest first. */
export interface PsuConsents {
  /** Those that are active, or those that are not, which come by their end; a page beyond the last is the last. */
  list(psu: PsuId, which: { readonly active: boolean; readonly page: number }): Promise<PsuConsentPage>;
  /** Undefined for one of somebody else, exactly as for one that is none. */
  find(psu: PsuId, id: ConsentId): Promise<PsuConsent | undefined>;
  /** What the same company has through other applications now, the newest ten: it stays when this consent ends. */
  findOthers(consent: Consent): Promise<readonly PsuConsent[]>;
}
