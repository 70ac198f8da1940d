/**
 * The events of auth's feed: what has ended, and who is blocked or free again. This folder owns following the feed without a
 * gap, and saying how old its conclusions may be. Each memory decides what to forget on an ending: tokens in `introspection`,
 * consents to card issuers in `card-consent`, blocked parties in `stop-list`.
 */
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";

/** The parties that are blocked at one moment. */
export interface BlockedParties {
  readonly organisationIdentifiers: ReadonlySet<OrganisationIdentifier>;
  readonly thumbprints: ReadonlySet<CertificateThumbprint>;
}

/**
 * One event, as auth names it. `unknown` is of a kind that this version does not know: something has ended, and it cannot
 * tell what.
 */
export type Ending =
  | { readonly kind: "token"; readonly hash: string }
  /** The consent on which an application's payments for a PSU depend. */
  | { readonly kind: "payment_consent"; readonly applicationId: string; readonly psu: string }
  | { readonly kind: "consent" | "card_consent" | "application" | "psu_blocked"; readonly id: string }
  | { readonly kind: "tpp_blocked" | "tpp_released"; readonly organisationIdentifier: OrganisationIdentifier }
  | {
      readonly kind: "certificate_blocked" | "certificate_released";
      readonly thumbprint: CertificateThumbprint;
    }
  | { readonly kind: "signing_key_dropped"; readonly kid: string }
  /** The outcome of a signing request: it ends the wait for a PSU, and nothing that is remembered about tokens. */
  | { readonly kind: "signing_approved" | "signing_refused" | "signing_expired"; readonly request: string }
  | { readonly kind: "unknown" };

/**
 * A place in the feed. Positions count up by one, in the order in which auth committed the changes. The mark is that of the
 * event at this position, if auth names one: without it, another event at the same position would be mistaken for it.
 */
export interface Place {
  readonly position: number;
  readonly mark: string | undefined;
}

/** An event in its place. */
export interface PositionedEnding extends Place {
  readonly ending: Ending;
}

/** The events right after a place, and the position of the newest event when they were read. */
export interface EndingBatch {
  readonly endings: readonly PositionedEnding[];
  readonly head: number;
}

/** Where to begin: the blocked parties at a place. */
export interface Beginning extends Place {
  readonly blocked: BlockedParties;
}

/** The source of endings. Throws `PrivateServiceUnavailable`, or `EndingsRefusal` for an answer that cannot be believed. */
export interface EndingSource {
  begin(): Promise<Beginning>;
  /**
   * Resolves as soon as there are events, or without any when the wait is over; undefined when the feed does not go on from
   * there.
   */
  after(place: Place, waitMilliseconds: number, signal?: AbortSignal): Promise<EndingBatch | undefined>;
}

/** Something that remembers what may end. Both methods finish before anything else happens in the process. */
export interface EndingTaker {
  /** Forgets everything: endings are reported from here on, and not before. */
  begin(blocked: BlockedParties): void;
  take(ending: Ending): void;
}
