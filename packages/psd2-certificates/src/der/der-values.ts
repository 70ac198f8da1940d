import { contentsOf, type DerElement, DerFault, tags } from "./der-element.ts";

const oidOctetsLimit = 64;
/** Most named bits; the longest list read here, keyUsage, has nine. */
const namedBitsLimit = 64;

/** Reads an OBJECT IDENTIFIER in dotted form (X.690 8.19), with arcs of any size. */
export function readOid(element: DerElement | undefined): string {
  const octets = contentsOf(element, tags.oid);
  if (octets.length === 0 || octets.length > oidOctetsLimit || (octets.at(-1) ?? 0x80) >= 0x80)
    throw new DerFault("an object identifier is empty, too long or truncated");
  const [first = 0n, ...rest] = arcsOf(octets);
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...rest].join(".");
}

function arcsOf(octets: Buffer): readonly bigint[] {
  const arcs: bigint[] = [];
  let arc = 0n;
  let begins = true;
  for (const octet of octets) {
    // X.690 8.19.2: a leading 80 would be a second spelling of the same identifier.
    if (begins && octet === 0x80) throw new DerFault("an object identifier has a padded arc");
    arc = (arc << 7n) | BigInt(octet & 0x7f);
    begins = octet < 0x80;
    if (begins) {
      arcs.push(arc);
      arc = 0n;
    }
  }
  return arcs;
}

/** Reads a BOOLEAN, which DER writes only as 00 or FF (X.690 11.1). */
export function readBoolean(element: DerElement | undefined): boolean {
  const octets = contentsOf(element, tags.boolean);
  if (octets.length !== 1 || (octets[0] !== 0x00 && octets[0] !== 0xff))
    throw new DerFault("a BOOLEAN is neither 00 nor FF");
  return octets[0] === 0xff;
}

/** Reads the octets of a positive INTEGER without a leading zero octet, at most `limit` of them (X.690 8.3). */
export function readPositiveInteger(element: DerElement | undefined, limit: number): Buffer {
  const octets = readUnsigned(element);
  if (octets.length > limit || (octets.length === 1 && octets[0] === 0))
    throw new DerFault(`an INTEGER is zero or longer than ${limit} octets`);
  return octets;
}

/** Reads a small INTEGER from 0 to 255. */
export function readSmallInteger(element: DerElement | undefined): number {
  const octets = readUnsigned(element);
  if (octets.length !== 1) throw new DerFault("an INTEGER is above 255");
  return octets.readUInt8(0);
}

function readUnsigned(element: DerElement | undefined): Buffer {
  const octets = contentsOf(element, tags.integer);
  const [first, second] = octets;
  if (first === undefined || first >= 0x80) throw new DerFault("an INTEGER is empty or negative");
  if (first !== 0 || second === undefined) return octets;
  if (second < 0x80) throw new DerFault("an INTEGER has a needless leading zero octet");
  return octets.subarray(1);
}

/** Reads the positions of the bits set in a BIT STRING of named bits (X.690 8.6, 11.2). */
export function readNamedBits(element: DerElement | undefined): ReadonlySet<number> {
  const octets = contentsOf(element, tags.bitString);
  const unused = octets[0];
  const last = octets.at(-1) ?? 0;
  if ((octets.length - 1) * 8 > namedBitsLimit)
    throw new DerFault(`a BIT STRING has more than ${namedBitsLimit} named bits`);
  if (unused === undefined || unused > 7 || (octets.length === 1 && unused > 0))
    throw new DerFault("a BIT STRING has a wrong count of unused bits");
  if ((last & (2 ** unused - 1)) !== 0 && octets.length > 1)
    throw new DerFault("unused bits of a BIT STRING are set");
  const bits = new Set<number>();
  for (let bit = 0; bit < (octets.length - 1) * 8; bit++)
    if (((octets[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0) bits.add(bit);
  return bits;
}

const timeForm = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

/** Reads a Time: UTCTime or GeneralizedTime, only in seconds and Zulu (RFC 5280 4.1.2.5). */
export function readTime(element: DerElement | undefined): Date {
  const [, year, month, day, hour, minute, second] = timeForm.exec(timeDigits(element)) ?? [];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = new Date(iso);
  // JavaScript turns a day or an hour that does not exist into another one, or into an invalid time.
  if (Number.isNaN(time.getTime()) || time.toISOString() !== iso)
    throw new DerFault("a time is malformed or does not exist");
  return time;
}

/** RFC 5280 4.1.2.5.1: a year of two digits below 50 is in this century. */
function timeDigits(element: DerElement | undefined): string {
  if (element?.tag === tags.generalizedTime) return element.contents.toString("latin1");
  const digits = contentsOf(element, tags.utcTime).toString("latin1");
  return `${digits.slice(0, 2) < "50" ? "20" : "19"}${digits}`;
}
