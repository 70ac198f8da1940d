import { type DerElement, DerFault, tags } from "../der/der-element.ts";
import { readDirectoryString } from "../der/der-text.ts";
import { type Certificate, extensionOids } from "../x509/certificate.ts";
import { nameOfOid } from "./known-oids.ts";

/** Names of the keyUsage bits, in order (RFC 5280 4.2.1.3). */
const usages = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
];

const stringTypes: Readonly<Record<number, string>> = {
  [tags.utf8String]: "UTF8String",
  [tags.printableString]: "PrintableString",
  [tags.teletexString]: "TeletexString",
  [tags.universalString]: "UniversalString",
  [tags.bmpString]: "BMPString",
  22: "IA5String",
};

/** Presents the critical extensions. */
export function presentCriticalExtensions({ extensions }: Certificate): string {
  const critical = [...extensions]
    .filter(([, extension]) => extension.critical)
    .map(([oid]) => nameOfOid(oid));
  return critical.join(", ") || "none";
}

/** Presents everything that limits the use of a certificate. */
export function presentPurpose({ purposes, keyUsage, authority }: Certificate): string {
  const allowed = purposes === undefined ? "absent" : [...purposes].map(nameOfOid).join(", ");
  const usage =
    keyUsage === undefined ? "absent" : [...keyUsage].map((bit) => usages[bit] ?? `bit ${bit}`).join(", ");
  const kind = authority === undefined ? "end entity" : "authority";
  return `${kind}; ${extensionName("extKeyUsage")} ${allowed}; ${extensionName("keyUsage")} ${usage}`;
}

function extensionName(name: "extKeyUsage" | "keyUsage"): string {
  return `${name} (${extensionOids[name]})`;
}

/** Presents every value of a subject attribute, with its string type. */
export function presentValues({ subject }: Certificate, oid: string): string {
  const values = subject.attributes.filter((attribute) => attribute.oid === oid).map(({ value }) => value);
  return values.map(presentValue).join(", ") || "none";
}

function presentValue(value: DerElement): string {
  const type = stringTypes[value.tag] ?? `tag ${value.tag}`;
  return `"${readableText(value)}" (${type})`;
}

/** Reads a text of any type, or else its octets. */
export function readableText(value: DerElement): string {
  try {
    return readDirectoryString(value);
  } catch (error) {
    if (error instanceof DerFault) return value.contents.toString("latin1");
    throw error;
  }
}
