import type {
  CompetentAuthority,
  OrganisationIdentifier,
  Psd2Role,
  TppIdentity,
} from "@cobs/psd2-certificates";

/** What the certificate of a TPP said when it was last verified: the pages show it, authorize takes its roles. */
export interface KnownTpp {
  readonly organisationIdentifier: OrganisationIdentifier;
  /** Legal name, for people to read. */
  readonly organisationName: string;
  readonly authority: CompetentAuthority;
  readonly roles: readonly Psd2Role[];
}

/** The TPPs that have called, one row per organisation identifier. */
export interface TppStore {
  /** Undefined for a TPP that has never shown an accepted certificate here. */
  find(organisationIdentifier: OrganisationIdentifier): Promise<KnownTpp | undefined>;
  /** Keeps what a certificate said that was verified just now; writes only when it differs from what is kept. */
  remember(identity: TppIdentity): Promise<void>;
}
