import type {
  CompetentAuthority,
  OrganisationIdentifier,
  Psd2Role,
  TppIdentity,
} from "@cobs/psd2-certificates";

/** A TPP as its last verified certificate described it. The pages show it, and authorize takes its roles. */
export interface KnownTpp {
  readonly organisationIdentifier: OrganisationIdentifier;
  /** Legal name, for people to read. */
  readonly organisationName: string;
  readonly authority: CompetentAuthority;
  readonly roles: readonly Psd2Role[];
}

/** The TPPs that have called, one row per organisation identifier. */
export interface TppStore {
  /** Finds a TPP; undefined when it never showed an accepted certificate to auth. */
  find(organisationIdentifier: OrganisationIdentifier): Promise<KnownTpp | undefined>;
  /** Keeps what a newly verified certificate says; writes only when it differs from what is kept. */
  remember(identity: TppIdentity): Promise<void>;
}
