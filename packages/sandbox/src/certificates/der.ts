/**
 * A minimal writer of DER (ITU-T X.690): each function gives the bytes of one complete element. It writes right and wrong
 * input alike, so that tests can make odd certificates. It reads nothing.
 */

/** An element of any tag around ready-made contents; `tag` is the whole identifier octet (X.690 8.1.2). */
export function derElement(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOctets(body.length), body]);
}

/** A SEQUENCE of ready-made elements. */
export function derSequence(...elements: readonly Uint8Array[]): Uint8Array {
  return derElement(0x30, ...elements);
}

/** An OBJECT IDENTIFIER from its dotted form (X.690 8.19). */
export function derOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return derElement(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** A UTF8String. */
export function derUtf8String(text: string): Uint8Array {
  return derElement(0x0c, Buffer.from(text, "utf8"));
}

/** A BOOLEAN; DER writes true as FF (X.690 11.1). */
export function derBoolean(value: boolean): Uint8Array {
  return derElement(0x01, Buffer.from([value ? 0xff : 0x00]));
}

/** A small INTEGER from 0 to 127. */
export function derSmallInteger(value: number): Uint8Array {
  return derElement(0x02, Buffer.from([value]));
}

/** A positive INTEGER from its octets, with a leading zero octet where the first bit would make it negative. */
export function derPositiveInteger(octets: Uint8Array): Uint8Array {
  const start = octets.findIndex((octet) => octet !== 0);
  const needed = start === -1 ? Buffer.from([0]) : Buffer.from(octets.subarray(start));
  const sign = (needed[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : [];
  return derElement(0x02, ...sign, needed);
}

/** An ENUMERATED value from 0 to 127. */
export function derEnumerated(value: number): Uint8Array {
  return derElement(0x0a, Buffer.from([value]));
}

/** A BIT STRING of whole octets. */
export function derBitString(octets: Uint8Array): Uint8Array {
  return derElement(0x03, Buffer.from([0]), octets);
}

/** A GeneralizedTime in whole seconds, Zulu (RFC 5280 4.1.2.5.2). */
export function derGeneralizedTime(instant: Date): Uint8Array {
  return derElement(0x18, Buffer.from(`${digitsOf(instant)}Z`, "ascii"));
}

/** A Time (RFC 5280 4.1.2.5): UTCTime until 2049, GeneralizedTime from then on. */
export function derTime(instant: Date): Uint8Array {
  if (instant.getUTCFullYear() >= 2050) return derGeneralizedTime(instant);
  return derElement(0x17, Buffer.from(`${digitsOf(instant).slice(2)}Z`, "ascii"));
}

function digitsOf(instant: Date): string {
  return instant.toISOString().slice(0, 19).replace(/[-T:]/g, "");
}

/** An OCTET STRING. */
export function derOctetString(bytes: Uint8Array): Uint8Array {
  return derElement(0x04, bytes);
}

/** A BIT STRING of named bits, first bit most significant, without trailing zero bits (X.690 11.2.2). */
export function derNamedBits(positions: readonly number[]): Uint8Array {
  const last = Math.max(0, ...positions);
  const octets = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const position of positions) {
    const index = Math.floor(position / 8);
    octets[index] = (octets[index] ?? 0) | (0x80 >> (position % 8));
  }
  return derElement(0x03, Buffer.from([7 - (last % 8)]), octets);
}

function lengthOctets(length: number): Uint8Array {
  if (length < 0x80) return Buffer.from([length]);
  const digits = length.toString(16);
  const octets = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | octets.length]), octets]);
}

function base128(arc: number): number[] {
  const septets = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
    septets.unshift(0x80 | (rest % 128));
  }
  return septets;
}
