/**
 * Signs a certificate with `@peculiar/x509`, the only file that imports it; `reflect-metadata` must come first.
 * The two key identifiers are the only extensions that are added here, because they follow from the keys.
 */
import "reflect-metadata";
import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { Extension, Name, X509Certificate, X509CertificateGenerator } from "@peculiar/x509";
import {
  authorityKeyIdentifier,
  type CertificateExtension,
  subjectKeyIdentifier,
} from "./certificate-extension.ts";
import { keyIdentifier, publicKeyInfo, signingKey } from "./certificate-key.ts";
import type { CertificateDescription, IssuedCertificate } from "./issue-certificate.ts";
import type { SubjectAttribute } from "./subject-attribute.ts";

/** Who signs: the name that stands in the issuer field, and the key. */
type Signer = { readonly name: Name; readonly key: KeyObject };

/** The DER of a certificate over the public half of `key`, signed by the issuer, or by itself without one. */
export async function signCertificate(
  issuer: IssuedCertificate | undefined,
  description: CertificateDescription,
  key: KeyObject,
): Promise<Buffer> {
  const holder = { name: distinguishedName(description.subject), key };
  const signer = issuer === undefined ? holder : signerOf(issuer);
  const hash = description.signatureHash ?? "SHA-256";
  const certificate = await X509CertificateGenerator.create({
    serialNumber: description.serialNumber ?? randomSerialNumber(),
    issuer: signer.name,
    subject: holder.name,
    notBefore: wholeSeconds(description.validity.notBefore),
    notAfter: wholeSeconds(description.validity.notAfter),
    publicKey: publicKeyInfo(key),
    signingKey: await signingKey(signer.key, hash),
    signingAlgorithm: { name: "ECDSA", hash },
    extensions: allExtensions(description, holder, signer),
  });
  return Buffer.from(certificate.rawData);
}

function signerOf(issuer: IssuedCertificate): Signer {
  // The name as it was encoded: one made again from text may differ in its string types.
  const name = new X509Certificate(issuer.certificatePem).subjectName;
  return { name, key: createPrivateKey(issuer.privateKeyPem) };
}

function allExtensions(description: CertificateDescription, holder: Signer, signer: Signer): Extension[] {
  const identifiers: readonly CertificateExtension[] =
    description.keyIdentifiers === false
      ? []
      : [subjectKeyIdentifier(keyIdentifier(holder.key)), authorityKeyIdentifier(keyIdentifier(signer.key))];
  return [...description.extensions, ...identifiers].map(
    ({ oid, critical, value }) => new Extension(oid, critical, value),
  );
}

function distinguishedName(attributes: readonly SubjectAttribute[]): Name {
  return new Name(
    attributes.map(({ oid, value, stringType = "utf8String" }) => ({ [oid]: [{ [stringType]: value }] })),
  );
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
