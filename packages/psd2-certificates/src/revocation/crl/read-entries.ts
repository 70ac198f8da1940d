/**
 * Reads the entries of a CRL (RFC 5280 5.1.2.6), of which there may be hundreds of thousands: octet by octet, without an
 * object for each, and in slices, so that other calls are answered in between.
 */
import { DerFault, lengthAt, tags } from "../../der/der-element.ts";
import { UnusableAnswer } from "../revocation-answer.ts";
import { createSerialPacker, noReason, type RevokedSerials, type SerialPacker } from "./revoked-serials.ts";

/** Octets read in one slice, which takes about a millisecond. */
const sliceOctets = 65_536;
const sliceEntries = 2_000;
/** Largest entry: a serial number, a time and the three defined extensions take a tenth of it (RFC 5280 5.3). */
const entryOctetsLimit = 1_024;
const serialOctetsLimit = 20;
/** Contents of the OBJECT IDENTIFIER 2.5.29.21 (RFC 5280 5.3.1). */
const reasonCode = [0x55, 0x1d, 0x15];

/** Where the contents of an element begin and end. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the contents of revokedCertificates. Rejects with a `DerFault`, or with an `UnusableAnswer` for a critical extension:
 * the one that exists says that an entry has another issuer (5.3.3), which may apply to later ones too.
 */
export async function readEntries(list: Buffer): Promise<RevokedSerials> {
  const packer = createSerialPacker(list.length);
  for (let at = 0, end = 0; at < list.length; ) {
    end += sliceOctets;
    while (at < end && at < list.length) at = readEntry(list, at, packer);
    await turn();
  }
  while (packer.index(sliceEntries)) await turn();
  return packer.pack();
}

/** Waits for one turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Reads one entry; returns where the next begins. */
function readEntry(list: Buffer, at: number, packer: SerialPacker): number {
  const entry = spanAt(list, at, { tag: tags.sequence, end: list.length });
  if (entry.end - at > entryOctetsLimit)
    throw new DerFault(`a CRL entry is longer than ${entryOctetsLimit} octets`);
  const serial = spanAt(list, entry.start, { tag: tags.integer, end: entry.end });
  const date = spanAt(list, serial.end, { tag: timeTagAt(list, serial.end), end: entry.end });
  const reason = date.end === entry.end ? noReason : readReason(list, { start: date.end, end: entry.end });
  packer.add(list, startOfSerial(list, serial), serial.end, reason);
  return entry.end;
}

/** Reads the tag of the time of revocation, which decides nothing but shows that this is an entry. */
function timeTagAt(list: Buffer, at: number): number {
  return list[at] === tags.generalizedTime ? tags.generalizedTime : tags.utcTime;
}

/** Skips the zero octet that only marks a serial number as positive. */
function startOfSerial(list: Buffer, { start, end }: Span): number {
  const first = list[start] ?? 0x80;
  const needsZero = (list[start + 1] ?? 0) >= 0x80;
  if (end === start || first >= 0x80 || (first === 0 && end - start > 1 && !needsZero))
    throw new DerFault("a serial number is empty, negative or padded");
  const begin = first === 0 && end - start > 1 ? start + 1 : start;
  if (end - begin > serialOctetsLimit) throw new DerFault("a serial number is longer than 20 octets");
  return begin;
}

function readReason(list: Buffer, { start, end }: Span): number {
  const extensions = spanAt(list, start, { tag: tags.sequence, end });
  if (extensions.end !== end) throw new DerFault("a CRL entry has unexpected fields");
  let reason = noReason;
  for (let at = extensions.start; at < end; ) {
    const extension = spanAt(list, at, { tag: tags.sequence, end });
    reason = readExtension(list, extension) ?? reason;
    at = extension.end;
  }
  return reason;
}

/** Reads the reason; undefined if the extension is another one. */
function readExtension(list: Buffer, { start, end }: Span): number | undefined {
  const oid = spanAt(list, start, { tag: tags.oid, end });
  const value = spanAt(list, skipFlag(list, oid.end, end), { tag: tags.octetString, end });
  if (value.end !== end) throw new DerFault("an extension of a CRL entry has unexpected fields");
  const isReason =
    oid.end - oid.start === 3 && reasonCode.every((octet, at) => list[oid.start + at] === octet);
  if (!isReason) return undefined;
  const code = spanAt(list, value.start, { tag: tags.enumerated, end: value.end });
  if (code.end !== value.end || code.end - code.start !== 1) throw new DerFault("a reason code is malformed");
  return list[code.start];
}

function skipFlag(list: Buffer, at: number, end: number): number {
  if (list[at] !== tags.boolean) return at;
  const flag = spanAt(list, at, { tag: tags.boolean, end });
  if (flag.end - flag.start !== 1 || list[flag.start] !== 0)
    throw new UnusableAnswer("a CRL entry has a critical extension");
  return flag.end;
}

function spanAt(
  list: Buffer,
  at: number,
  { tag, end: limit }: { readonly tag: number; readonly end: number },
): Span {
  if (at >= limit || list[at] !== tag) throw new DerFault("a CRL entry is malformed");
  const { length, start } = lengthAt(list, at + 1);
  if (start + length > limit) throw new DerFault("an element extends beyond the one that contains it");
  return { start, end: start + length };
}
