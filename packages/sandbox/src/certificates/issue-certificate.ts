/**
 * Issues X.509 certificates for tests and the sandbox from a description that is plain data. Any part of it may be wrong on
 * purpose; nothing is validated here.
 */
import { createHash, X509Certificate } from "node:crypto";
import type { CertificateExtension } from "./certificate-extension.ts";
import { generatePrivateKey, type KeyType } from "./certificate-key.ts";
import { signCertificate } from "./sign-certificate.ts";
import type { SignatureName } from "./signature-algorithms.ts";
import type { SubjectAttribute } from "./subject-attribute.ts";
import type { Validity } from "./validity.ts";

/** Content of a certificate, right or wrong. */
export type CertificateDescription = {
  readonly subject: readonly SubjectAttribute[];
  readonly validity: Validity;
  readonly extensions: readonly CertificateExtension[];
  /** Defaults to P-256. */
  readonly keyType?: KeyType;
  /** How the issuer signs; by default as usual for its key. */
  readonly signedWith?: SignatureName;
  /** Hexadecimal; random by default. */
  readonly serialNumber?: string;
  /** Whether to add subject and authority key identifiers; true by default. */
  readonly keyIdentifiers?: boolean;
};

/** A certificate with its key, in PEM that ends with a newline; any of them can be an issuer. */
export type IssuedCertificate = {
  readonly certificatePem: string;
  /** This certificate and those up to its root, without the root; a root's chain is only itself. */
  readonly chainPem: string;
  /** PKCS#8. */
  readonly privateKeyPem: string;
  /** `x5t#S256` (RFC 8705 3.1): SHA-256 over the DER, base64url. */
  readonly thumbprint: string;
};

/** Issues a certificate with a new key; without an issuer it is self-signed. */
export async function issueCertificate(
  issuer: IssuedCertificate | undefined,
  description: CertificateDescription,
): Promise<IssuedCertificate> {
  const key = await generatePrivateKey(description.keyType ?? "P-256");
  const certificate = new X509Certificate(signCertificate(issuer, description, key));
  return issuedCertificate({
    chainPem: certificate.toString() + chainAbove(issuer),
    privateKeyPem: key.export({ type: "pkcs8", format: "pem" }).toString(),
  });
}

/** Restores an issued certificate from its chain and its key in PEM. */
export function issuedCertificate(
  pem: Pick<IssuedCertificate, "chainPem" | "privateKeyPem">,
): IssuedCertificate {
  const certificate = new X509Certificate(pem.chainPem);
  return {
    ...pem,
    certificatePem: certificate.toString(),
    thumbprint: createHash("sha256").update(certificate.raw).digest("base64url"),
  };
}

function chainAbove(issuer: IssuedCertificate | undefined): string {
  if (issuer === undefined) return "";
  const { subject, issuer: issuerOfIssuer } = new X509Certificate(issuer.certificatePem);
  return subject === issuerOfIssuer ? "" : issuer.chainPem;
}
