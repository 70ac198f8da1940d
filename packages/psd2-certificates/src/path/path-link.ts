import { thumbprintOf } from "../certificate-thumbprint.ts";
import { type RevocationSources, readRevocationSources } from "../revocation/revocation-sources.ts";
import type { Certificate } from "../x509/certificate.ts";

/** A certificate of a path and the authority above it: all that its revocation is asked with, and little more. */
export interface PathLink {
  /**
   * Names the certificate as its revocation does, by its authority and its serial number: the same on every connection, under
   * every anchor file, and in whichever form. Whoever has one signed by an elliptic curve can give it another signature.
   */
  readonly key: string;
  /** Names the authority, by its name and its key. */
  readonly issuerKey: string;
  /** Octets without a leading zero. */
  readonly serialNumber: Buffer;
  /** The issuer field as the certificate has it, DER. */
  readonly issuerName: Buffer;
  /** Whether the certificate is that of an authority, which some CRLs leave out and others list alone. */
  readonly isAuthority: boolean;
  readonly sources: RevocationSources;
  readonly issuer: Certificate;
}

/** The link between a certificate and the authority that is known to have issued it. */
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
