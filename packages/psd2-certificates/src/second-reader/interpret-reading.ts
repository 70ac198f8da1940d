import { type DerElement, tags } from "../der/der-element.ts";
import { findCertificate } from "../x509/read-certificate.ts";
import type { SecondReading } from "./second-reading.ts";

const organizationIdentifier = "2.5.4.97";
/** The library returns octets as characters: right for these types, meaningless for strings of wider or older alphabets. */
const representable: ReadonlySet<number> = new Set([tags.utf8String, tags.printableString]);

/** Says why the library cannot tell whom this certificate names; undefined if it can. */
export function reasonForNoOpinion(der: Buffer): string | undefined {
  const certificate = findCertificate(der);
  if (certificate === undefined) return "the certificate cannot be read";
  const values = certificate.subject.attributes.filter(({ oid }) => oid === organizationIdentifier);
  return values.map(({ value }) => reasonOfValue(value)).find((reason) => reason !== undefined);
}

/** C strings end at a zero octet. */
function reasonOfValue({ tag, contents }: DerElement): string | undefined {
  if (!representable.has(tag))
    return `the library cannot represent organizationIdentifier, a string of tag ${tag}`;
  return contents.includes(0) ? "organizationIdentifier contains a zero octet" : undefined;
}

/** Reads the identifier from an answer of the worker, which may have any shape. */
export function interpretReading(answer: unknown): SecondReading {
  if (!isRecord(answer)) return failed("the answer of the thread is malformed");
  const { fault, subject } = answer;
  if (fault !== undefined) return failed(`the library reports ${String(fault).slice(0, 100)}`);
  const value = isRecord(subject) ? subject[organizationIdentifier] : undefined;
  if (typeof value !== "string") return failed("the library found no organisation identifier");
  const text = recode(value);
  return text === undefined
    ? failed("the library gave an organisation identifier that is not UTF-8")
    : { kind: "read", organisationIdentifier: text };
}

/** Decodes UTF-8 that came as one character for each octet. */
function recode(value: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Makes a failed reading. */
export function failed(detail: string): SecondReading {
  return { kind: "failed", detail };
}
