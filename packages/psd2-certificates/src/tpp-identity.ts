import type { CertificateThumbprint } from "./certificate-thumbprint.ts";
import type { OrganisationIdentifier } from "./organisation-identifier.ts";

/** A role of a payment service provider (ETSI TS 119 495 5.1): account servicing, initiation, information, card issuing. */
export type Psd2Role = "PSP_AS" | "PSP_PI" | "PSP_AI" | "PSP_IC";

/** The authority that licensed the TPP, as the PSD2 statement names it (ETSI TS 119 495 5.2.3). */
export interface CompetentAuthority {
  /** `CC-AUTHORITY`, for instance `CZ-CNB`. */
  readonly id: string;
  /** For display alone. */
  readonly name: string;
}

/** A third party as its verified certificate describes it; frozen, and true only at the time it was verified for. */
export interface TppIdentity {
  /** Who the TPP is. Compare exactly; nothing else in here identifies it. */
  readonly organisationIdentifier: OrganisationIdentifier;
  /** For people to read: organizationName of the subject. */
  readonly organisationName: string;
  /** ISO 3166 code of the competent authority's country. */
  readonly country: string;
  readonly authority: CompetentAuthority;
  /** In the order of the certificate, without repetition, at least one of a third party. */
  readonly roles: readonly Psd2Role[];
  /** Of this certificate: tokens are bound to it (RFC 8705 3.1). */
  readonly thumbprint: CertificateThumbprint;
  /**
   * Of the other form of a certificate that an ECDSA key signed, which its holder can make at will and use as well:
   * whoever blocks a certificate by its thumbprint compares both. Undefined for every other certificate.
   */
  readonly twinThumbprint: CertificateThumbprint | undefined;
  /** Hexadecimal, upper case, whole octets, no leading zero octet. */
  readonly serialNumber: string;
  /** Issuer for display and logs, never for comparison. */
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}
