import type { CertificateThumbprint } from "./certificate-thumbprint.ts";
import type { OrganisationIdentifier } from "./organisation-identifier.ts";

/** A role of a payment service provider (ETSI TS 119 495 5.1): account servicing, initiation, information, card issuing. */
export type Psd2Role = "PSP_AS" | "PSP_PI" | "PSP_AI" | "PSP_IC";

/** The authority that licensed the TPP, as the PSD2 statement names it (ETSI TS 119 495 5.2.3). */
export interface CompetentAuthority {
  /** `CC-AUTHORITY`, for instance `CZ-CNB`. */
  readonly id: string;
  /** Only for display. */
  readonly name: string;
}

/** A third party as its verified certificate describes it; frozen, and valid only at the time of its verification. */
export interface TppIdentity {
  /** Identifies the TPP. Compare exactly; nothing else in here identifies it. */
  readonly organisationIdentifier: OrganisationIdentifier;
  /** Display name: organizationName of the subject. */
  readonly organisationName: string;
  /** ISO 3166 code of the competent authority's country. */
  readonly country: string;
  readonly authority: CompetentAuthority;
  /** In the order of the certificate, without repetition; at least one is a third party's. */
  readonly roles: readonly Psd2Role[];
  /** Thumbprint of this certificate, to which tokens are bound (RFC 8705 3.1). */
  readonly thumbprint: CertificateThumbprint;
  /**
   * Thumbprint of the other form of a certificate signed with an ECDSA key, which its holder can make and use at will; to
   * block a certificate by its thumbprint, compare both. Undefined for every other certificate.
   */
  readonly twinThumbprint: CertificateThumbprint | undefined;
  /** Hexadecimal, upper case, whole octets, no leading zero octet. */
  readonly serialNumber: string;
  /** Issuer for display and logs, never for comparison. */
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}
