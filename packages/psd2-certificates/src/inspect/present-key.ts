import type { KeyObject } from "node:crypto";
import { membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";
import type { Certificate } from "../x509/certificate.ts";
import { nameOfOid } from "./known-oids.ts";

/** Kind, size and curve of the key of a certificate, for people. */
export function presentKey({ x509 }: Certificate): string {
  try {
    return presentKeyObject(x509.publicKey);
  } catch {
    return "a key that cannot be read";
  }
}

function presentKeyObject({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const { modulusLength, publicExponent, namedCurve } = asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined)
    return `${asymmetricKeyType} of ${modulusLength} bits, exponent ${publicExponent}`;
  if (asymmetricKeyType === "ec") return `ec on ${namedCurve ?? "a curve without a name"}`;
  return `${asymmetricKeyType}`;
}

/** The algorithm that a certificate is signed with, for people. */
export function presentSignature({ signatureAlgorithm }: Certificate): string {
  const [oid] = membersOf(readDer(signatureAlgorithm), tags.sequence, { min: 1, max: 2 });
  return nameOfOid(readOid(oid));
}
