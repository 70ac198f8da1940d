/**
 * Issues X.509 certificates for tests and for the sandbox, from a description that is plain data. Everything
 * in it can be wrong on purpose; nothing here judges it. The two key identifiers are the only extensions that
 * are added here, because they follow from the keys.
 */
import "reflect-metadata";
import { createHash, createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { Extension, Name, X509Certificate, X509CertificateGenerator } from "@peculiar/x509";
import {
  authorityKeyIdentifier,
  type CertificateExtension,
  subjectKeyIdentifier,
} from "./certificate-extension.ts";
import {
  generatePrivateKey,
  type KeyType,
  keyIdentifier,
  publicKeyInfo,
  type SignatureHash,
  signingKey,
} from "./certificate-key.ts";
import type { Validity } from "./validity.ts";

/** One attribute of a distinguished name, written as a UTF8String; `oid` is dotted. */
export type SubjectAttribute = { readonly oid: string; readonly value: string };

/** Object identifiers of the subject attributes in use (X.520). */
export const subjectOids = {
  commonName: "2.5.4.3",
  countryName: "2.5.4.6",
  organizationName: "2.5.4.10",
  organizationIdentifier: "2.5.4.97",
} as const;

/**
 * What a certificate shall say. Absent: P-256, SHA-256, a random serial number (hexadecimal), and both key
 * identifiers. The key of a SHA-384 or SHA-1 signature is the issuer's.
 */
export type CertificateDescription = {
  readonly subject: readonly SubjectAttribute[];
  readonly validity: Validity;
  readonly extensions: readonly CertificateExtension[];
  readonly keyType?: KeyType;
  readonly signatureHash?: SignatureHash;
  readonly serialNumber?: string;
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

/** Who signs: the name that stands in the issuer field, the key, and what follows in the chain. */
type Signer = { readonly name: Name; readonly key: KeyObject; readonly chainPem: string };

/** Issues a certificate with a new key; without an issuer it is signed by itself. */
export async function issueCertificate(
  issuer: IssuedCertificate | undefined,
  description: CertificateDescription,
): Promise<IssuedCertificate> {
  const key = await generatePrivateKey(description.keyType ?? "P-256");
  const subject = distinguishedName(description.subject);
  const signer = issuer === undefined ? { name: subject, key, chainPem: "" } : signerOf(issuer);
  const der = await signedCertificate(signer, description, { subject, key });
  const certificatePem = pemOf(der);
  return {
    certificatePem,
    chainPem: certificatePem + signer.chainPem,
    privateKeyPem: key.export({ type: "pkcs8", format: "pem" }).toString(),
    thumbprint: createHash("sha256").update(der).digest("base64url"),
  };
}

async function signedCertificate(
  signer: Signer,
  description: CertificateDescription,
  holder: { readonly subject: Name; readonly key: KeyObject },
): Promise<Buffer> {
  const hash = description.signatureHash ?? "SHA-256";
  const identifiers = description.keyIdentifiers === false ? [] : keyIdentifiers(holder.key, signer.key);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: description.serialNumber ?? randomSerialNumber(),
    issuer: signer.name,
    subject: holder.subject,
    notBefore: wholeSeconds(description.validity.notBefore),
    notAfter: wholeSeconds(description.validity.notAfter),
    publicKey: publicKeyInfo(holder.key),
    signingKey: await signingKey(signer.key, hash),
    signingAlgorithm: { name: "ECDSA", hash },
    extensions: [...description.extensions, ...identifiers].map(
      ({ oid, critical, value }) => new Extension(oid, critical, value),
    ),
  });
  return Buffer.from(certificate.rawData);
}

function signerOf(issuer: IssuedCertificate): Signer {
  const certificate = new X509Certificate(issuer.certificatePem);
  const isRoot = certificate.subject === certificate.issuer;
  return {
    // The name as it was encoded: a name made again from text may differ in its string types.
    name: certificate.subjectName,
    key: createPrivateKey(issuer.privateKeyPem),
    chainPem: isRoot ? "" : issuer.chainPem,
  };
}

function keyIdentifiers(holder: KeyObject, signer: KeyObject): readonly CertificateExtension[] {
  return [subjectKeyIdentifier(keyIdentifier(holder)), authorityKeyIdentifier(keyIdentifier(signer))];
}

function distinguishedName(attributes: readonly SubjectAttribute[]): Name {
  return new Name(attributes.map(({ oid, value }) => ({ [oid]: [{ utf8String: value }] })));
}

/** Positive and of 16 octets (RFC 5280 4.1.2.2). */
function randomSerialNumber(): string {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40;
  return octets.toString("hex");
}

function wholeSeconds(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000);
}

function pemOf(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
