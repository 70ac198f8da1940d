import { contentsOf, type DerElement, DerFault, membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid, readPositiveInteger } from "../der/der-values.ts";

/**
 * A public key as encoded. It is parsed here instead of by `node:crypto` because strangers choose it: Node.js 20 ends the
 * whole process when asked for the details of a key whose point is at infinity.
 */
export type PublicKey =
  | { readonly kind: "rsa" | "rsa-pss"; readonly bits: number; readonly exponent: bigint }
  /** Name of the curve, or its identifier if it is not accepted; undefined if its parameters are explicit. */
  | { readonly kind: "ec"; readonly curve: string | undefined }
  | { readonly kind: "ed25519" | "ed448" }
  | { readonly kind: "other"; readonly algorithm: string };

/** Accepted curves by their OpenSSL names, and the octets of one coordinate (RFC 5480 2.1.1.1). */
const curves: ReadonlyMap<string, { readonly name: string; readonly octets: number }> = new Map([
  ["1.2.840.10045.3.1.7", { name: "prime256v1", octets: 32 }],
  ["1.3.132.0.34", { name: "secp384r1", octets: 48 }],
  ["1.3.132.0.35", { name: "secp521r1", octets: 66 }],
]);
const integerOctetsLimit = 16_384;

/** Reads SubjectPublicKeyInfo, DER (RFC 3279 2.3.1, RFC 4055 1.2, RFC 5480 2, RFC 8410 4); throws a `DerFault`. */
export function readPublicKey(info: Buffer): PublicKey {
  const [identifier, bits] = membersOf(readDer(info), tags.sequence, { min: 2, max: 2 });
  const [algorithm, parameters] = membersOf(identifier, tags.sequence, { min: 1, max: 2 });
  const octets = contentsOf(bits, tags.bitString).subarray(1);
  const oid = readOid(algorithm);
  switch (oid) {
    case "1.2.840.113549.1.1.1":
      return { kind: "rsa", ...readRsa(octets) };
    case "1.2.840.113549.1.1.10":
      return { kind: "rsa-pss", ...readRsa(octets) };
    case "1.2.840.10045.2.1":
      return { kind: "ec", curve: readCurve(parameters, octets) };
    case "1.3.101.112":
      return { kind: "ed25519" };
    case "1.3.101.113":
      return { kind: "ed448" };
    default:
      return { kind: "other", algorithm: oid };
  }
}

function readRsa(octets: Buffer): { readonly bits: number; readonly exponent: bigint } {
  const [modulus, exponent] = membersOf(readDer(octets), tags.sequence, { min: 2, max: 2 }).map((member) =>
    readPositiveInteger(member, integerOctetsLimit),
  );
  if (modulus === undefined || exponent === undefined) throw new DerFault("the RSA key is malformed");
  const bits = modulus.length * 8 - (Math.clz32(modulus.readUInt8(0)) - 24);
  return { bits, exponent: BigInt(`0x${exponent.toString("hex")}`) };
}

function readCurve(parameters: DerElement | undefined, point: Buffer): string | undefined {
  if (parameters?.tag !== tags.oid) return undefined;
  const oid = readOid(parameters);
  const curve = curves.get(oid);
  if (curve !== undefined && !isPoint(point, curve.octets)) throw new DerFault("the EC point is malformed");
  return curve?.name ?? oid;
}

/** RFC 5480 2.2: both coordinates or one of them, and no other form. Whether the point is on the curve is not checked. */
function isPoint(point: Buffer, octets: number): boolean {
  const isWhole = point[0] === 0x04 && point.length === 1 + 2 * octets;
  return isWhole || ((point[0] === 0x02 || point[0] === 0x03) && point.length === 1 + octets);
}
