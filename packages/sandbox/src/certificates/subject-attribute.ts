import type { NameAttribute } from "./certificate-plan.ts";
import { derUtf8String } from "./der.ts";
import { derBmpString, derIa5String, derPrintableString } from "./der-strings.ts";

/**
 * One attribute of a distinguished name; `oid` is dotted. By default it is a UTF8String, and a country the required
 * PrintableString (RFC 5280 appendix A.1).
 */
export type SubjectAttribute = {
  readonly oid: string;
  readonly value: string;
  readonly stringType?: "utf8String" | "printableString" | "bmpString" | "ia5String";
};

/** Object identifiers of the subject attributes in use (X.520). */
export const subjectOids = {
  commonName: "2.5.4.3",
  countryName: "2.5.4.6",
  organizationName: "2.5.4.10",
  organizationIdentifier: "2.5.4.97",
} as const;

const encoders = {
  utf8String: derUtf8String,
  printableString: derPrintableString,
  bmpString: derBmpString,
  ia5String: derIa5String,
} as const;

/** The attribute with its value as DER. */
export function encodeAttribute({ oid, value, stringType }: SubjectAttribute): NameAttribute {
  const usual = oid === subjectOids.countryName ? "printableString" : "utf8String";
  return { oid, value: encoders[stringType ?? usual](value) };
}
