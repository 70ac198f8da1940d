/** A writer of DER for the few structures that this package sends. */

/** Writes an element with a tag of one octet around ready-made contents of at most 65,535 octets. */
export function writeElement(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOctets(body.length), body]);
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length < 0x100) return Buffer.from([0x81, length]);
  const octets = Buffer.from([0x82, 0, 0]);
  octets.writeUInt16BE(length, 1);
  return octets;
}
