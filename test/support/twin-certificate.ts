/**
 * Makes the other form of a certificate that an elliptic-curve key signed: (r, n − s) instead of (r, s), for which no key is
 * needed. It shares no code with the reader under test.
 */
import {
  derBitString,
  derPositiveInteger,
  derSequence,
} from "../../packages/sandbox/src/certificates/der.ts";

/** The order of each curve (FIPS 186-5). */
export const orders = {
  "P-256": 2n ** 256n - 2n ** 224n + 2n ** 192n - 0x4319055258e8617b0c46353d039cdaafn,
  "P-384": 2n ** 384n - 0x389cb27e0bc8d220a7e5f24db74f58851313e695333ad68dn,
  "P-521": 2n ** 521n - 0x5ae79787c40d069948033feb708f65a2fc44a36477663b851449048e16ec79bf7n,
};

/** The contents of consecutive DER elements. */
function membersOf(der: Buffer): readonly Buffer[] {
  const members: Buffer[] = [];
  for (let at = 0; at < der.length; ) {
    const first = der.readUInt8(at + 1);
    const start = at + 2 + (first < 0x80 ? 0 : first - 0x80);
    const length = first < 0x80 ? first : der.readUIntBE(at + 2, first - 0x80);
    members.push(der.subarray(at, start + length));
    at = start + length;
  }
  return members;
}
const inside = (der: Buffer, skipped = 0) => {
  const first = der.readUInt8(1);
  return membersOf(der.subarray(2 + (first < 0x80 ? 0 : first - 0x80) + skipped));
};

/** The same certificate with (r, n − s) instead of (r, s). */
export function twinOf(leaf: Buffer, order: bigint): Buffer {
  const [signed = leaf, algorithm = leaf, bits = leaf] = inside(leaf);
  const [signature = leaf] = inside(bits, 1);
  const [r = leaf, s = leaf] = inside(signature);
  const other = (order - BigInt(`0x${s.subarray(2).toString("hex")}`)).toString(16);
  const octets = Buffer.from(other.padStart(other.length + (other.length % 2), "0"), "hex");
  const twin = derSequence(r, derPositiveInteger(octets));
  return Buffer.from(derSequence(signed, algorithm, derBitString(twin)));
}
