import type { KeyObject } from "node:crypto";
import { DerFault, membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";
import type { Certificate } from "./certificate.ts";

/** Signature algorithms that are believed (ETSI TS 119 312); RSASSA-PSS is judged by its hash. */
const strongSignatures: ReadonlySet<string> = new Set([
  "1.2.840.113549.1.1.11", // sha256WithRSAEncryption
  "1.2.840.113549.1.1.12", // sha384WithRSAEncryption
  "1.2.840.113549.1.1.13", // sha512WithRSAEncryption
  "1.2.840.10045.4.3.2", // ecdsa-with-SHA256
  "1.2.840.10045.4.3.3", // ecdsa-with-SHA384
  "1.2.840.10045.4.3.4", // ecdsa-with-SHA512
  "1.3.101.112", // Ed25519
  "1.3.101.113", // Ed448
]);
const rsassaPss = "1.2.840.113549.1.1.10";
const strongHashes: ReadonlySet<string> = new Set([
  "2.16.840.1.101.3.4.2.1", // SHA-256
  "2.16.840.1.101.3.4.2.2", // SHA-384
  "2.16.840.1.101.3.4.2.3", // SHA-512
]);
const strongCurves: ReadonlySet<string> = new Set(["prime256v1", "secp384r1", "secp521r1"]);
/** Above the upper bound a signature costs the reader more than it tells. */
const rsaBits = { min: 2048, max: 8192 };
const rsaExponentMin = 3n;

/** Says why the algorithm that a certificate was signed with is not believed; undefined when it is. */
export function weaknessOfSignature({
  signatureAlgorithm,
}: Pick<Certificate, "signatureAlgorithm">): string | undefined {
  const [algorithm, parameters] = membersOf(readDer(signatureAlgorithm), tags.sequence, { min: 1, max: 2 });
  const oid = readOid(algorithm);
  if (strongSignatures.has(oid)) return undefined;
  if (oid !== rsassaPss || parameters === undefined) return `signed with ${oid}`;
  const hash = pssHash(parameters.encoded);
  return strongHashes.has(hash) ? undefined : `RSASSA-PSS with ${hash}`;
}

/** RFC 4055 3.1: the hash of RSASSA-PSS-params is SHA-1 unless the first member says otherwise. */
function pssHash(parameters: Buffer): string {
  try {
    const [first] = membersOf(readDer(parameters), tags.sequence, { max: 4 });
    const [hash] = membersOf(first, tags.constructed(0), { min: 1, max: 1 });
    return readOid(membersOf(hash, tags.sequence, { min: 1, max: 2 })[0]);
  } catch (error) {
    if (error instanceof DerFault) return "SHA-1";
    throw error;
  }
}

/** Says why the key of a certificate is not accepted; undefined when it is. */
export function weaknessOfKey({ x509 }: Certificate): string | undefined {
  const key = publicKeyOf(x509);
  const details = key?.asymmetricKeyDetails;
  switch (key?.asymmetricKeyType) {
    case "rsa":
    case "rsa-pss":
      return weaknessOfRsa(details?.modulusLength ?? 0, details?.publicExponent ?? 0n);
    case "ec":
      // Explicit parameters have no name, and only a name says that the curve was not made for the occasion.
      return strongCurves.has(details?.namedCurve ?? "")
        ? undefined
        : `curve ${details?.namedCurve ?? "without a name"}`;
    case "ed25519":
    case "ed448":
      return undefined;
    default:
      return `key of kind ${key?.asymmetricKeyType ?? "unreadable"}`;
  }
}

function weaknessOfRsa(bits: number, exponent: bigint): string | undefined {
  if (bits < rsaBits.min || bits > rsaBits.max) return `RSA of ${bits} bits`;
  return exponent < rsaExponentMin || exponent % 2n === 0n ? `RSA with exponent ${exponent}` : undefined;
}

function publicKeyOf(x509: Certificate["x509"]): KeyObject | undefined {
  try {
    return x509.publicKey;
  } catch {
    return undefined;
  }
}
