import { membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";
import type { Certificate } from "../x509/certificate.ts";
import { type PublicKey, readPublicKey } from "../x509/public-key.ts";
import { nameOfOid } from "./known-oids.ts";

/** Presents kind, size and curve of a certificate's key, for people. */
export function presentKey({ publicKeyInfo }: Certificate): string {
  try {
    return presentPublicKey(readPublicKey(publicKeyInfo));
  } catch {
    return "a key that cannot be read";
  }
}

function presentPublicKey(key: PublicKey): string {
  switch (key.kind) {
    case "rsa":
    case "rsa-pss":
      return `${key.kind} of ${key.bits} bits, exponent ${key.exponent}`;
    case "ec":
      return `ec on ${key.curve ?? "a curve without a name"}`;
    case "other":
      return `a key of kind ${key.algorithm}`;
    default:
      return key.kind;
  }
}

/** Presents the algorithm with which a certificate is signed, for people. */
export function presentSignature({ signatureAlgorithm }: Certificate): string {
  const [oid] = membersOf(readDer(signatureAlgorithm), tags.sequence, { min: 1, max: 2 });
  return nameOfOid(readOid(oid));
}
