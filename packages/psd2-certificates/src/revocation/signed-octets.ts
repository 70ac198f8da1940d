import { constants, type KeyObject, type VerifyKeyObjectInput, verify } from "node:crypto";
import { contentsOf, type DerElement, DerFault, tags } from "../der/der-element.ts";
import { readSignatureScheme } from "../x509/signature-scheme.ts";
import { UnusableAnswer } from "./revocation-answer.ts";

/** Octets and their signature. */
export interface SignedOctets {
  /** As received: a signature over re-encoded octets would prove nothing about them. */
  readonly octets: Buffer;
  /** AlgorithmIdentifier, DER. */
  readonly algorithm: Buffer;
  readonly signature: Buffer;
}

/** Reads the three members with which a signed structure begins (RFC 5280 4.1.1, RFC 6960 4.2.1). Throws a `DerFault`. */
export function readSignedOctets([signed, algorithm, bits]: readonly DerElement[]): SignedOctets {
  const signature = contentsOf(bits, tags.bitString);
  if (signed === undefined || algorithm === undefined || signature[0] !== 0)
    throw new DerFault("the signature is not a whole number of octets");
  return {
    octets: signed.encoded,
    algorithm: algorithm.encoded,
    signature: signature.subarray(1),
  };
}

/** Whether this key made the signature; throws an `UnusableAnswer` for an algorithm that is not trusted at all. */
export async function isSignedBy(signed: SignedOctets, key: KeyObject): Promise<boolean> {
  const scheme = readSignatureScheme(signed.algorithm);
  if (!scheme.strong) throw new UnusableAnswer(scheme.weakness);
  if (!scheme.keyTypes.includes(key.asymmetricKeyType ?? "")) return false;
  const how = scheme.isPss
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : { key };
  return verifyAside(signed, scheme.hash, how);
}

/** Uses a callback, so that the digest is made on another thread and a list of megabytes blocks nobody. */
function verifyAside(
  { octets, signature }: SignedOctets,
  hash: string | undefined,
  key: VerifyKeyObjectInput,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify(hash, octets, key, signature, (error, isRight) => (error ? reject(error) : resolve(isRight)));
  });
}
