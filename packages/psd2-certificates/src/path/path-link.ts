import { thumbprintOf } from "../certificate-thumbprint.ts";
import { type RevocationSources, readRevocationSources } from "../revocation/revocation-sources.ts";
import type { Certificate } from "../x509/certificate.ts";

/** A certificate of a path and its issuing authority, with little more than what is needed to ask about revocation. */
export interface PathLink {
  /**
   * Identifies the certificate as revocation does, by its authority and its serial number: the same on every connection, under
   * every anchor file, and in either form. The holder of a certificate signed with an elliptic curve can give it another
   * signature.
   */
  readonly key: string;
  /** Identifies the authority by its name and its key. */
  readonly issuerKey: string;
  /** Octets without a leading zero. */
  readonly serialNumber: Buffer;
  /** The issuer field as the certificate has it, DER. */
  readonly issuerName: Buffer;
  /** Whether the certificate is an authority's; some CRLs leave these out and others list only these. */
  readonly isAuthority: boolean;
  readonly sources: RevocationSources;
  readonly issuer: Certificate;
}

/** Makes the link between a certificate and the authority known to have issued it. */
export function makePathLink(certificate: Certificate, issuer: Certificate): PathLink {
  const issuerKey = thumbprintOf(Buffer.concat([issuer.subject.encoded, issuer.publicKeyInfo]));
  return {
    key: `${certificate.serialNumber}.${issuerKey}`,
    issuerKey,
    serialNumber: Buffer.from(certificate.serialNumber, "hex"),
    issuerName: certificate.issuer.encoded,
    isAuthority: certificate.authority !== undefined,
    sources: readRevocationSources(certificate),
    issuer,
  };
}
