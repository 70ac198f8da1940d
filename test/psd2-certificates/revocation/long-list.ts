import { sign } from "node:crypto";
import {
  derBitString,
  derElement,
  derEnumerated,
  derOctetString,
  derOid,
  derPositiveInteger,
  derSequence,
  derSmallInteger,
  derTime,
} from "../../../packages/sandbox/src/certificates/der.ts";
import { algorithms, type Issued } from "../certificate-builder.ts";
import { minutes } from "./revocation-world.ts";

const serialOctets = 16;

/** Serial number of an entry, in hexadecimal: positive and of 16 octets, as authorities draw them. */
export function serialNumberAt(at: number): string {
  return `4${(at * 2_654_435_761).toString(16).padStart(15, "0")}${at.toString(16).padStart(16, "a")}`;
}

/** A CRL with that many entries, each with a reason: 48 octets each, made without an object per entry. */
export function longList(signer: Issued, count: number, serialNumberOf = serialNumberAt): Buffer {
  const template = entryOf(Buffer.alloc(serialOctets, 0x41));
  const place = template.indexOf(Buffer.alloc(serialOctets, 0x41));
  const entries = Buffer.alloc(template.length * count);
  for (let at = 0; at < count; at++) {
    template.copy(entries, at * template.length);
    entries.write(serialNumberOf(at), at * template.length + place, "hex");
  }
  return listOfOctets(signer, entries);
}

/** A CRL with any octets as its entries. */
export function listOfOctets(signer: Issued, entries: Uint8Array): Buffer {
  const { identifier, hash } = algorithms["ecdsa-sha256"];
  const number = derSequence(derOid("2.5.29.20"), derOctetString(derSmallInteger(1)));
  const signed = derSequence(
    derSmallInteger(1),
    identifier,
    signer.name,
    derTime(minutes(-1)),
    derTime(minutes(24 * 60)),
    derSequence(entries),
    derElement(0xa0, derSequence(number)),
  );
  const signature = derBitString(sign(hash, Buffer.from(signed), signer.key));
  return Buffer.from(derSequence(signed, identifier, signature));
}

function entryOf(serialNumber: Buffer): Buffer {
  const reason = derSequence(derOid("2.5.29.21"), derOctetString(derEnumerated(4)));
  return Buffer.from(
    derSequence(derPositiveInteger(serialNumber), derTime(minutes(-99)), derSequence(reason)),
  );
}
