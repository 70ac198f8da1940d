/**
 * A strict reader of DER (ITU-T X.690 chapter 10): definite lengths in the fewest octets, tags of one octet, nothing left
 * over. It opens one level at a time and on demand, so that its depth is that of the structure being read, never of the input.
 * It knows nothing of certificates; `der-values.ts` interprets the contents of an element.
 */

/** One element: its identifier octet, its contents, and the whole as encoded. */
export interface DerElement {
  readonly tag: number;
  readonly contents: Buffer;
  readonly encoded: Buffer;
}

/** Identifier octets in use (X.690 8.1.2): universal ones by name, and context-specific ones by number. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  printableString: 0x13,
  teletexString: 0x14,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universalString: 0x1c,
  bmpString: 0x1e,
  primitive: (number: number) => 0x80 | number,
  constructed: (number: number) => 0xa0 | number,
} as const;

/** The input is not the expected DER. Callers turn it into the refusal that fits what they were reading. */
export class DerFault extends Error {}

const membersLimit = 512;
const constructedBit = 0x20;
/** X.690 10.2: DER never splits a string, so only these contain others: EXTERNAL, EMBEDDED PDV, SEQUENCE, SET. */
const alwaysConstructed: ReadonlySet<number> = new Set([0x28, 0x2b, tags.sequence, tags.set]);
/** X.680 table 1: the end of an indefinite length, and a number that is not a type. */
const reserved: ReadonlySet<number> = new Set([0x00, 0x0f]);
const longForm = 0x80;
const lengthOctetsLimit = 3;

/** Reads one element that fills the bytes. */
export function readDer(bytes: Buffer): DerElement {
  const element = elementAt(bytes, 0);
  if (element.encoded.length !== bytes.length) throw new DerFault("extra octets follow the element");
  return element;
}

/** Returns the elements inside a constructed one of this tag, at least `min` and at most `max` of them. */
export function membersOf(
  element: DerElement | undefined,
  tag: number,
  { min = 0, max = membersLimit }: { readonly min?: number; readonly max?: number } = {},
): readonly DerElement[] {
  const contents = contentsOf(element, tag);
  const members: DerElement[] = [];
  for (let at = 0; at < contents.length; ) {
    const member = elementAt(contents, at);
    at += member.encoded.length;
    if (members.push(member) > max) throw new DerFault(`an element has more than ${max} members`);
  }
  if (members.length < min) throw new DerFault(`an element has fewer than ${min} members`);
  return members;
}

/** Returns the contents of a mandatory element with this tag. */
export function contentsOf(element: DerElement | undefined, tag: number): Buffer {
  if (element === undefined) throw new DerFault(`an element of tag ${hex(tag)} is missing`);
  if (element.tag !== tag)
    throw new DerFault(`an element has tag ${hex(element.tag)} instead of ${hex(tag)}`);
  return element.contents;
}

function elementAt(bytes: Buffer, at: number): DerElement {
  const tag = octetAt(bytes, at);
  // X.690 8.1.2.4: no structure that is read here has a tag number above 30.
  if ((tag & 0x1f) === 0x1f) throw new DerFault("a tag has several octets");
  if (isUniversal(tag) && !isPermittedForm(tag))
    throw new DerFault(`an element has the unsupported tag ${hex(tag)}`);
  const { length, start } = lengthAt(bytes, at + 1);
  const end = start + length;
  if (end > bytes.length) throw new DerFault("an element extends beyond the one that contains it");
  return { tag, contents: bytes.subarray(start, end), encoded: bytes.subarray(at, end) };
}

function isUniversal(tag: number): boolean {
  return tag < 0x40;
}

function isPermittedForm(tag: number): boolean {
  const isConstructed = (tag & constructedBit) !== 0;
  return !reserved.has(tag) && isConstructed === alwaysConstructed.has(tag | constructedBit);
}

/** Returns the length of an element whose length octets begin at `at`, and where its contents start. */
export function lengthAt(bytes: Buffer, at: number): { readonly length: number; readonly start: number } {
  const first = octetAt(bytes, at);
  if (first < longForm) return { length: first, start: at + 1 };
  const count = first - longForm;
  if (count === 0) throw new DerFault("a length is indefinite");
  if (count > lengthOctetsLimit || at + 1 + count > bytes.length)
    throw new DerFault("a length exceeds the input");
  const length = bytes.readUIntBE(at + 1, count);
  // X.690 10.1: the fewest octets that can hold it.
  const least = count === 1 ? longForm : 2 ** (8 * (count - 1));
  if (length < least) throw new DerFault("a length is not in its shortest form");
  return { length, start: at + 1 + count };
}

function octetAt(bytes: Buffer, at: number): number {
  const octet = bytes[at];
  if (octet === undefined) throw new DerFault("the input ends early");
  return octet;
}

function hex(tag: number): string {
  return tag.toString(16).padStart(2, "0");
}
