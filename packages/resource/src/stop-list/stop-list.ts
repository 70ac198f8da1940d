/**
 * Which TPPs and certificates the bank has blocked, as auth tells it. This folder owns knowing the list: fetching it
 * all the time over auth's bank listener, and saying how old what it knows may be. Who is put on it and why is auth's;
 * that a blocked one is refused is decided in `admission`.
 *
 * The list is fetched whole. The event feed replaces the polling later: the list is then loaded once with its position,
 * and changes arrive as events; what `current` promises stays the same.
 */
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";

/** What is blocked at one moment. */
export interface BlockedParties {
  readonly organisationIdentifiers: ReadonlySet<OrganisationIdentifier>;
  readonly thumbprints: ReadonlySet<CertificateThumbprint>;
}

/** The stop list, as fresh as a token's description must be. */
export interface StopList {
  /**
   * What is blocked, asked at most the freshness bound ago: normally without waiting. Throws
   * `PrivateServiceUnavailable` when auth does not answer, `StopListRefusal` when its answer cannot be believed; both
   * mean that nothing is known.
   */
  current(): Promise<BlockedParties>;
  /** Whether the list was loaded at least once; tries to, when not. */
  wasLoaded(): Promise<boolean>;
}

/** Refuses to believe auth's answer; an unreadable list is never an empty one. `detail` is for the log. */
export class StopListRefusal extends Error {
  readonly code: "stop_list_status" | "stop_list_malformed";
  readonly detail: string;

  constructor(code: StopListRefusal["code"], detail: string, options?: ErrorOptions) {
    super(code, options);
    this.name = "StopListRefusal";
    this.code = code;
    this.detail = detail;
  }
}
