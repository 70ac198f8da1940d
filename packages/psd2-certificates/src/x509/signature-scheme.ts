import { DerFault, membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";

/** A signature scheme, as an AlgorithmIdentifier describes it. */
export type SignatureScheme =
  | {
      readonly strong: true;
      /** Hash name of `node:crypto`; undefined if the scheme has its own. */
      readonly hash: string | undefined;
      /** Key types of `node:crypto` that can have made it. */
      readonly keyTypes: readonly string[];
      readonly isPss: boolean;
    }
  | { readonly strong: false; readonly weakness: string };

const derNull = Buffer.from("0500", "hex");
const rsa = ["rsa"];
const ec = ["ec"];

/** Trusted signature schemes (ETSI TS 119 312), except RSASSA-PSS, which is judged by its hash. */
const strongSchemes: ReadonlyMap<string, SignatureScheme> = new Map([
  ["1.2.840.113549.1.1.11", strong("sha256", rsa)], // sha256WithRSAEncryption
  ["1.2.840.113549.1.1.12", strong("sha384", rsa)], // sha384WithRSAEncryption
  ["1.2.840.113549.1.1.13", strong("sha512", rsa)], // sha512WithRSAEncryption
  ["1.2.840.10045.4.3.2", strong("sha256", ec)], // ecdsa-with-SHA256
  ["1.2.840.10045.4.3.3", strong("sha384", ec)], // ecdsa-with-SHA384
  ["1.2.840.10045.4.3.4", strong("sha512", ec)], // ecdsa-with-SHA512
  ["1.3.101.112", strong(undefined, ["ed25519"])],
  ["1.3.101.113", strong(undefined, ["ed448"])],
]);
const rsassaPss = "1.2.840.113549.1.1.10";
const strongHashes: ReadonlyMap<string, string> = new Map([
  ["2.16.840.1.101.3.4.2.1", "sha256"],
  ["2.16.840.1.101.3.4.2.2", "sha384"],
  ["2.16.840.1.101.3.4.2.3", "sha512"],
]);

/** Reads an AlgorithmIdentifier, DER; throws a `DerFault` if it is malformed. */
export function readSignatureScheme(signatureAlgorithm: Buffer): SignatureScheme {
  const [algorithm, parameters] = membersOf(readDer(signatureAlgorithm), tags.sequence, { min: 1, max: 2 });
  const oid = readOid(algorithm);
  if (oid === rsassaPss && parameters !== undefined) return schemeOfPss(pssHash(parameters.encoded));
  // RFC 4055 5 requires NULL and RFC 5758 3 nothing; each occurs in place of the other, and anything else is refused.
  if (parameters !== undefined && !parameters.encoded.equals(derNull))
    return { strong: false, weakness: `signed with ${oid} and parameters other than NULL` };
  return strongSchemes.get(oid) ?? { strong: false, weakness: `signed with ${oid}` };
}

function schemeOfPss(oid: string): SignatureScheme {
  const hash = strongHashes.get(oid);
  if (hash === undefined) return { strong: false, weakness: `RSASSA-PSS with ${oid}` };
  return { strong: true, hash, keyTypes: ["rsa", "rsa-pss"], isPss: true };
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

function strong(hash: string | undefined, keyTypes: readonly string[]): SignatureScheme {
  return { strong: true, hash, keyTypes, isPss: false };
}
