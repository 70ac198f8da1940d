import { type DerElement, membersOf, tags } from "../der/der-element.ts";
import { readDirectoryString } from "../der/der-text.ts";
import { readOid } from "../der/der-values.ts";

/** One attribute of a name; the value keeps its string type. */
export interface NameAttribute {
  readonly oid: string;
  readonly value: DerElement;
}

/** A Name (RFC 5280 4.1.2.4) with the attributes of all its parts in order. */
export interface DistinguishedName {
  readonly encoded: Buffer;
  readonly attributes: readonly NameAttribute[];
}

/** Reads a Name: a sequence of sets of attributes. Throws a `DerFault`. */
export function readDistinguishedName(element: DerElement | undefined): DistinguishedName {
  const parts = membersOf(element, tags.sequence);
  const attributes = parts.flatMap((part) => membersOf(part, tags.set, { min: 1 })).map(readAttribute);
  return { encoded: element?.encoded ?? Buffer.alloc(0), attributes };
}

function readAttribute(element: DerElement): NameAttribute {
  const [type, value] = membersOf(element, tags.sequence, { min: 2, max: 2 });
  // Always present after the count check; the fallback satisfies the type.
  return { oid: readOid(type), value: value ?? element };
}

const shortNames: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.97": "organizationIdentifier",
};

/**
 * Presents a name for people, most specific part first, in the manner of RFC 4514. Two names may look the same: never compare.
 */
export function presentName(name: DistinguishedName): string {
  return name.attributes
    .map(({ oid, value }) => `${shortNames[oid] ?? oid}=${presentValue(value)}`)
    .reverse()
    .join(",");
}

function presentValue(value: DerElement): string {
  try {
    return readDirectoryString(value)
      .replace(/[\p{Cc}\p{Cf}]/gu, "?")
      .replace(/[",+;<>\\]/g, "\\$&");
  } catch {
    return `#${value.encoded.toString("hex")}`;
  }
}
