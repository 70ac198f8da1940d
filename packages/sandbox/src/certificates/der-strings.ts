/**
 * Texts and times in every type that X.509 allows, besides those that the sandbox itself uses. A text that its type cannot
 * hold is written anyway, for readers that must refuse it.
 */
import { derElement } from "./der.ts";

/** A PrintableString. */
export function derPrintableString(text: string): Uint8Array {
  return derElement(0x13, Buffer.from(text, "latin1"));
}

/** A TeletexString as issuers write it, in Latin-1. */
export function derTeletexString(text: string): Uint8Array {
  return derElement(0x14, Buffer.from(text, "latin1"));
}

/** An IA5String. */
export function derIa5String(text: string): Uint8Array {
  return derElement(0x16, Buffer.from(text, "latin1"));
}

/** A BMPString: two octets for each UTF-16 unit. */
export function derBmpString(text: string): Uint8Array {
  return derElement(0x1e, Buffer.from(text, "utf16le").swap16());
}

/** A UniversalString: four octets for each character. */
export function derUniversalString(text: string): Uint8Array {
  return derElement(0x1c, ...[...text].map(utf32));
}

/** A UTCTime with any digits, such as `270101000000Z`. */
export function derUtcTimeText(digits: string): Uint8Array {
  return derElement(0x17, Buffer.from(digits, "latin1"));
}

/** A GeneralizedTime with any digits, such as `20270101000000Z`. */
export function derGeneralizedTimeText(digits: string): Uint8Array {
  return derElement(0x18, Buffer.from(digits, "latin1"));
}

function utf32(character: string): Uint8Array {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(character.codePointAt(0) ?? 0);
  return octets;
}
