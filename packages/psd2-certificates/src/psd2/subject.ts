import { CertificateRefusal, type CertificateRefusalCode } from "../certificate-refusal.ts";
import { readDirectoryString } from "../der/der-text.ts";
import { readingAs } from "../der/reading-as.ts";
import { type OrganisationIdentifier, parseOrganisationIdentifier } from "../organisation-identifier.ts";
import type { DistinguishedName } from "../x509/distinguished-name.ts";

const organizationName = "2.5.4.10";
const organizationIdentifier = "2.5.4.97";
/**
 * Has something visible, for which fillers, blanks and the object replacement character do not count, and nothing that breaks
 * a line or reorders surrounding text (UAX #9).
 */
const nameForm =
  /^(?=.*(?![\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}\uFFFC])[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,256}$/u;

/**
 * Reads exactly one organizationIdentifier from the subject (ETSI TS 119 495 GEN-5.2.1-3), because readers differ in which of
 * two they take. Refuses with `organisation_identifier_missing`, `…_malformed` or `…_unsupported`.
 */
export function readOrganisationIdentifier(subject: DistinguishedName): OrganisationIdentifier {
  const texts = textsOf(subject, organizationIdentifier, "organisation_identifier_malformed");
  if (texts.length === 0)
    throw new CertificateRefusal(
      "organisation_identifier_missing",
      "the subject has no organizationIdentifier (2.5.4.97)",
    );
  if (texts.length > 1)
    throw new CertificateRefusal(
      "organisation_identifier_malformed",
      `the subject has ${texts.length} organizationIdentifiers (2.5.4.97) instead of one`,
    );
  return parseOrganisationIdentifier(texts[0]);
}

/** Reads the name that the PSU sees: exactly one readable organizationName. Refuses with `organisation_name_missing`. */
export function readOrganisationName(subject: DistinguishedName): string {
  const names = textsOf(subject, organizationName, "organisation_name_missing");
  const [name = ""] = names;
  if (names.length === 1 && nameForm.test(name)) return name;
  const found = names.length === 0 ? "none" : `${names.length}, the first "${name}"`;
  throw new CertificateRefusal(
    "organisation_name_missing",
    `the subject must have exactly one readable organizationName: it has ${found}`,
  );
}

function textsOf(subject: DistinguishedName, oid: string, code: CertificateRefusalCode): readonly string[] {
  const attributes = subject.attributes.filter((attribute) => attribute.oid === oid);
  return readingAs(code, () => attributes.map(({ value }) => readDirectoryString(value)));
}
