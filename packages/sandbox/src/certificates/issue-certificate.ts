/**
 * Issues X.509 certificates for tests and for the sandbox, from a description that is plain data. Everything
 * in it can be wrong on purpose; nothing here judges it.
 */
import { createHash, X509Certificate } from "node:crypto";
import type { CertificateExtension } from "./certificate-extension.ts";
import { generatePrivateKey, type KeyType } from "./certificate-key.ts";
import { signCertificate } from "./sign-certificate.ts";
import type { SignatureName } from "./signature-algorithms.ts";
import type { SubjectAttribute } from "./subject-attribute.ts";
import type { Validity } from "./validity.ts";

/** What a certificate shall say, right or wrong. */
export type CertificateDescription = {
  readonly subject: readonly SubjectAttribute[];
  readonly validity: Validity;
  readonly extensions: readonly CertificateExtension[];
  /** P-256 when absent. */
  readonly keyType?: KeyType;
  /** How the issuer signs; as its key is used usually when absent. */
  readonly signedWith?: SignatureName;
  /** Hexadecimal; random when absent. */
  readonly serialNumber?: string;
  /** Whether subject and authority key identifier are added; true when absent. */
  readonly keyIdentifiers?: boolean;
};

/** A certificate with its key, each PEM with a newline at its end; any of them can be an issuer. */
export type IssuedCertificate = {
  readonly certificatePem: string;
  /** This certificate and those between it and its root, without the root; of a root only itself. */
  readonly chainPem: string;
  /** PKCS#8. */
  readonly privateKeyPem: string;
  /** `x5t#S256` (RFC 8705 3.1): SHA-256 over the DER, base64url. */
  readonly thumbprint: string;
};

/** Issues a certificate with a new key; without an issuer it is signed by itself. */
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

/** A certificate as it was issued, from its chain and its key in PEM. */
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
