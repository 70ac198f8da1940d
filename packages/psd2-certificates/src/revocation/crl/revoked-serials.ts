import { randomInt } from "node:crypto";

/** The serial numbers of a CRL with their reasons, packed: a hundred thousand of them take about three megabytes. */
export interface RevokedSerials {
  readonly count: number;
  /** Octets of memory. */
  readonly octets: number;
  /** Finds a serial number, without leading zero; undefined if it is not on the list. */
  readonly find: (serialNumber: Buffer) => { readonly reason: number | undefined } | undefined;
}

/** Collects serial numbers one by one. */
export interface SerialPacker {
  /** Adds the octets of `source` from `start` to `end`; `reason` is a CRLReason, or {@link noReason}. */
  readonly add: (source: Buffer, start: number, end: number, reason: number) => void;
  /** Indexes up to `most` of the added numbers; returns false when all are indexed. */
  readonly index: (most: number) => boolean;
  /** Returns everything added and indexed. */
  readonly pack: () => RevokedSerials;
}

/** Stands for a missing reason code. */
export const noReason = 255;
const headOctets = 2;

/**
 * Makes a packer for at most as many octets as their list has. Each record is a reason, a length and the serial number. The
 * index is an open-addressing table, at most half full, whose hash has a secret start so that nobody can choose serial numbers
 * that all collide.
 */
export function createSerialPacker(octetsOfList: number): SerialPacker {
  const records = Buffer.allocUnsafe(octetsOfList);
  const seed = randomInt(2 ** 31);
  let table = new Uint32Array(1);
  let [filled, count, indexed] = [0, 0, 0];
  return {
    add: (source, start, end, reason) => {
      records[filled] = reason;
      records[filled + 1] = end - start;
      source.copy(records, filled + headOctets, start, end);
      filled += headOctets + end - start;
      count += 1;
    },
    index: (most) => {
      if (indexed === 0) table = new Uint32Array(placesFor(count));
      for (let left = most; left > 0 && indexed < filled; left--)
        indexed = putRecord(table, records, indexed, seed);
      return indexed < filled;
    },
    // A copy, because otherwise the unused space would be held as long as the list.
    pack: () => packedSerials({ table, records: Buffer.from(records.subarray(0, filled)), seed }, count),
  };
}

interface Index {
  readonly table: Uint32Array;
  readonly records: Buffer;
  readonly seed: number;
}

/** Outside the packer, whose variables it would otherwise keep alive. */
function packedSerials(index: Index, count: number): RevokedSerials {
  const octets = index.records.length + index.table.byteLength;
  return { count, octets, find: (serialNumber) => findRecord(index, serialNumber) };
}

function placesFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(2 * count + 2));
}

/**
 * Puts the record that begins at `at` into the table, as its place plus one; returns where the next record begins. A repeated
 * number is left out, because each of many equal ones would be compared with all the others.
 */
function putRecord(table: Uint32Array, records: Buffer, at: number, seed: number): number {
  const end = at + headOctets + (records[at + 1] ?? 0);
  let place = hashOf(records, at + headOctets, end, seed) & (table.length - 1);
  for (let entry = table[place] ?? 0; entry !== 0; entry = table[place] ?? 0) {
    if (isSameNumber(records, entry - 1, at)) return end;
    place = (place + 1) & (table.length - 1);
  }
  table[place] = at + 1;
  return end;
}

/** Whether two records have the same length and octets. */
function isSameNumber(records: Buffer, one: number, other: number): boolean {
  const octets = 1 + (records[one + 1] ?? 0);
  return records.compare(records, one + 1, one + 1 + octets, other + 1, other + 1 + octets) === 0;
}

function findRecord(
  { table, records, seed }: Index,
  serialNumber: Buffer,
): { readonly reason: number | undefined } | undefined {
  let place = hashOf(serialNumber, 0, serialNumber.length, seed) & (table.length - 1);
  for (let entry = table[place] ?? 0; entry !== 0; entry = table[place] ?? 0) {
    const start = entry - 1 + headOctets;
    const end = start + (records[entry] ?? 0);
    if (serialNumber.equals(records.subarray(start, end))) return { reason: reasonAt(records, entry - 1) };
    place = (place + 1) & (table.length - 1);
  }
  return undefined;
}

function reasonAt(records: Buffer, at: number): number | undefined {
  const reason = records[at];
  return reason === noReason ? undefined : reason;
}

/** FNV-1a with a start value of its own. */
function hashOf(octets: Buffer, start: number, end: number, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (octets[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
