/**
 * What auth tells by itself: what has ended, and who is blocked or free again. This folder owns following it without a
 * gap, and saying how old what follows from it may be. What is forgotten because of an ending is decided where it is
 * remembered: tokens in `introspection`, consents to card issuers in `card-consent`, blocked parties in `stop-list`.
 */
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";

/** Who is blocked at one moment. */
export interface BlockedParties {
  readonly organisationIdentifiers: ReadonlySet<OrganisationIdentifier>;
  readonly thumbprints: ReadonlySet<CertificateThumbprint>;
}

/**
 * One event, as auth names it. `unknown` is of a kind that this version has never heard of: something has ended, and
 * nobody here knows what.
 */
export type Ending =
  | { readonly kind: "token"; readonly hash: string }
  /** On which the payments of an application for a PSU hang. */
  | { readonly kind: "payment_consent"; readonly applicationId: string; readonly psu: string }
  | { readonly kind: "consent" | "card_consent" | "application" | "psu_blocked"; readonly id: string }
  | { readonly kind: "tpp_blocked" | "tpp_released"; readonly organisationIdentifier: OrganisationIdentifier }
  | {
      readonly kind: "certificate_blocked" | "certificate_released";
      readonly thumbprint: CertificateThumbprint;
    }
  | { readonly kind: "signing_key_dropped"; readonly kid: string }
  /** What a PSU decided about an order: the end of a wait, and of nothing that is remembered about tokens. */
  | { readonly kind: "signing_approved" | "signing_refused" | "signing_expired"; readonly request: string }
  | { readonly kind: "unknown" };

/**
 * A place in what auth tells: positions count up by one, in the order in which it committed the changes. The mark is that of
 * the event there, if auth names one: without it, another event at this position would be taken for the same.
 */
export interface Place {
  readonly position: number;
  readonly mark: string | undefined;
}

/** An event in its place. */
export interface PositionedEnding extends Place {
  readonly ending: Ending;
}

/** The events right after a place, and the position of the newest one when they were read. */
export interface EndingBatch {
  readonly endings: readonly PositionedEnding[];
  readonly head: number;
}

/** Where to begin: who is blocked at a place. */
export interface Beginning extends Place {
  readonly blocked: BlockedParties;
}

/** Where endings come from. Throws `PrivateServiceUnavailable`, or `EndingsRefusal` for what cannot be believed. */
export interface EndingSource {
  begin(): Promise<Beginning>;
  /** As soon as there are some, or with none when the wait is over; undefined when one cannot go on from there. */
  after(place: Place, waitMilliseconds: number, signal?: AbortSignal): Promise<EndingBatch | undefined>;
}

/** Whoever remembers something that may end. Both methods finish before anything else happens in the process. */
export interface EndingTaker {
  /** Forgets everything: from here on, and not before, it is told what ends. */
  begin(blocked: BlockedParties): void;
  take(ending: Ending): void;
}
