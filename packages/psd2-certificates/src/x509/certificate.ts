import type { X509Certificate } from "node:crypto";
import type { DistinguishedName } from "./distinguished-name.ts";

/** One extension; `value` is the DER inside its OCTET STRING (RFC 5280 4.1). */
export interface Extension {
  readonly critical: boolean;
  readonly value: Buffer;
}

/** A certificate as its bytes describe it: well formed, but not verified yet. */
export interface Certificate {
  readonly der: Buffer;
  /** OpenSSL's view of the same bytes, for signatures and keys. */
  readonly x509: X509Certificate;
  /** Hexadecimal, upper case, no leading zero octet; a root may have zero. */
  readonly serialNumber: string;
  /** AlgorithmIdentifier, DER, the same inside and outside the signed part. */
  readonly signatureAlgorithm: Buffer;
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  /** SubjectPublicKeyInfo, DER, as in the certificate. */
  readonly publicKeyInfo: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** By object identifier, each at most once. */
  readonly extensions: ReadonlyMap<string, Extension>;
  /** Present for an authority (basicConstraints with cA); its path length may be unlimited. */
  readonly authority: { readonly pathLength: number } | undefined;
  /** Bit positions of keyUsage (RFC 5280 4.2.1.3); undefined when the extension is absent. */
  readonly keyUsage: ReadonlySet<number> | undefined;
  /** Identifiers of extKeyUsage (RFC 5280 4.2.1.12); undefined when the extension is absent. */
  readonly purposes: ReadonlySet<string> | undefined;
}

/** Object identifiers of the extensions that are read here (RFC 5280 4.2, RFC 3739 3.2.6). */
export const extensionOids = {
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  crlDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  extKeyUsage: "2.5.29.37",
  authorityInformationAccess: "1.3.6.1.5.5.7.1.1",
  qcStatements: "1.3.6.1.5.5.7.1.3",
} as const;

/** Bit positions of keyUsage that matter here (RFC 5280 4.2.1.3). */
export const keyUsageBits = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const;

/** The purpose of a TLS client (RFC 5280 4.2.1.12). */
export const clientAuth = "1.3.6.1.5.5.7.3.2";

/** The purpose of a delegate that answers OCSP requests for an authority (RFC 6960 4.2.2.2). */
export const ocspSigning = "1.3.6.1.5.5.7.3.9";
