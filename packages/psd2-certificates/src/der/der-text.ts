import { contentsOf, type DerElement, DerFault, tags } from "./der-element.ts";

/** A byte order mark counts as a character: dropping it would turn two identities into one. */
const decoderOptions = { fatal: true, ignoreBOM: true };

/** Reads a UTF8String of 1 to 256 characters, the bounds of ETSI TS 119 495 annex A. */
export function readUtf8String(element: DerElement | undefined): string {
  const text = decode("utf-8", contentsOf(element, tags.utf8String));
  const characters = [...text].length;
  if (characters < 1 || characters > 256) throw new DerFault("a string is not 1 to 256 characters long");
  return text;
}

/** Reads a DirectoryString of any of its five types (RFC 5280 4.1.2.4) as text, neither trimmed nor normalised. */
export function readDirectoryString(element: DerElement): string {
  const { tag, contents } = element;
  switch (tag) {
    case tags.utf8String:
      return decode("utf-8", contents);
    case tags.printableString:
      return decodeAscii(contents);
    case tags.bmpString:
      return decode("utf-16be", contents);
    case tags.universalString:
      return decodeUtf32(contents);
    case tags.teletexString:
      // Nobody uses real T.61: issuers put Latin-1 into it, and every reader takes it as that.
      return contents.toString("latin1");
    default:
      throw new DerFault(`a string has the unsupported tag ${tag.toString(16)}`);
  }
}

function decode(encoding: "utf-8" | "utf-16be", contents: Buffer): string {
  try {
    return new TextDecoder(encoding, decoderOptions).decode(contents);
  } catch {
    throw new DerFault(`a string is not valid ${encoding}`);
  }
}

function decodeAscii(contents: Buffer): string {
  if (contents.some((octet) => octet >= 0x80)) throw new DerFault("a PrintableString is not ASCII");
  return contents.toString("latin1");
}

function decodeUtf32(contents: Buffer): string {
  if (contents.length % 4 !== 0) throw new DerFault("a UniversalString is truncated");
  let text = "";
  for (let at = 0; at < contents.length; at += 4) {
    const point = contents.readUInt32BE(at);
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
      throw new DerFault("a UniversalString has an invalid code point");
    text += String.fromCodePoint(point);
  }
  return text;
}
