import { createPrivateKey, type KeyObject } from "node:crypto";
import {
  authorityKeyIdentifier,
  type CertificateExtension,
  subjectKeyIdentifier,
} from "./certificate-extension.ts";
import { keyIdentifier } from "./certificate-key.ts";
import { readCertificateNames } from "./certificate-names.ts";
import {
  encodeExtension,
  encodeName,
  type PlanSigner,
  randomSerial,
  signPlan,
  version3,
} from "./certificate-plan.ts";
import { derPositiveInteger, derTime } from "./der.ts";
import type { CertificateDescription, IssuedCertificate } from "./issue-certificate.ts";
import { encodeAttribute } from "./subject-attribute.ts";

/** DER of a certificate for the public half of `key`, signed by the issuer, or self-signed without one. */
export function signCertificate(
  issuer: IssuedCertificate | undefined,
  description: CertificateDescription,
  key: KeyObject,
): Buffer {
  const { serialNumber, validity } = description;
  const subject = description.subject.map(encodeAttribute);
  const signer = issuer === undefined ? { name: encodeName(subject), key } : signerOf(issuer);
  const identifiers = description.keyIdentifiers === false ? [] : keyIdentifiers(key, signer);
  return signPlan(
    {
      version: version3,
      serial:
        serialNumber === undefined ? randomSerial() : derPositiveInteger(Buffer.from(serialNumber, "hex")),
      subject,
      notBefore: derTime(validity.notBefore),
      notAfter: derTime(validity.notAfter),
      extensions: [...description.extensions, ...identifiers].map(encodeExtension),
      key,
      signedWith: description.signedWith,
      outerAlgorithm: undefined,
    },
    signer,
  );
}

/** An authority as signer. Its name is used as encoded, because re-encoding it from text may change it. */
export function signerOf({
  certificatePem,
  privateKeyPem,
}: Pick<IssuedCertificate, "certificatePem" | "privateKeyPem">): PlanSigner {
  return { name: readCertificateNames(certificatePem).subject, key: createPrivateKey(privateKeyPem) };
}

/** The two extensions that follow from the keys (RFC 5280 4.2.1.1, 4.2.1.2). */
export function keyIdentifiers(key: KeyObject, signer: PlanSigner): readonly CertificateExtension[] {
  return [subjectKeyIdentifier(keyIdentifier(key)), authorityKeyIdentifier(keyIdentifier(signer.key))];
}
