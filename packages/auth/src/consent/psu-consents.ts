import type { Application, PsuId } from "@cobs/cobs-model";
import type { KnownTpp } from "../tpp/tpp-store.ts";
import type { Consent } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";
import type { UsedConsent } from "./consent-search.ts";

/** A consent as its PSU sees it, with the TPP and its application. */
export interface PsuConsent {
  readonly consent: UsedConsent;
  readonly tpp: Pick<KnownTpp, "organisationIdentifier" | "organisationName" | "authority">;
  /** Undefined when it is no longer registered. */
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
  /** Lists the active consents, or the ended ones sorted by their end. A page beyond the last gives the last. */
  list(psu: PsuId, which: { readonly active: boolean; readonly page: number }): Promise<PsuConsentPage>;
  /** Undefined both for another PSU's consent and for an unknown one. */
  find(psu: PsuId, id: ConsentId): Promise<PsuConsent | undefined>;
  /** Lists what the same TPP has through other applications now, the newest ten: it stays when this consent ends. */
  findOthers(consent: Consent): Promise<readonly PsuConsent[]>;
}
