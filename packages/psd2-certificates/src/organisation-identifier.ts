import { CertificateRefusal } from "./certificate-refusal.ts";

/**
 * Identifier of a TPP: `PSD` country `-` authority `-` authorisation number, for instance `PSDCZ-CNB-63492555` (ETSI TS 119
 * 495 GEN-5.2.1-3). Opaque and compared exactly: case, hyphens and leading zeros of the number count.
 */
export type OrganisationIdentifier = string & { readonly brand: "OrganisationIdentifier" };

const limitCharacters = 256;
/**
 * The number is everything after the second hyphen, including hyphens and inner spaces. Invisible characters, spaces other
 * than the plain one, and spaces at its ends would make two identities that look the same; halves of characters would all
 * become the same character in a store.
 */
const psd2Form =
  /^PSD[A-Z]{2}-[A-Z]{2,8}-(?! )(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}\uFFFC]| )+(?<! )$/u;
/** ETSI EN 319 412-1 5.1.4: a registered scheme with an optional state, or a national scheme with a colon. */
const otherForm = /^(?!PSD)(?:[A-Z]{3}[A-Z]{2}(?:\+[A-Z0-9]{1,3})?|[A-Z]{2}:[A-Z]{2})-[^\p{Cc}]+$/u;

/** Parses an identifier; refuses with `organisation_identifier_malformed` or `organisation_identifier_unsupported`. */
export function parseOrganisationIdentifier(text: unknown): OrganisationIdentifier {
  if (typeof text !== "string" || text.length > limitCharacters)
    throw new CertificateRefusal(
      "organisation_identifier_malformed",
      "not a string of at most 256 characters",
    );
  if (otherForm.test(text))
    throw new CertificateRefusal(
      "organisation_identifier_unsupported",
      `manual onboarding is needed for ${text}`,
    );
  if (!psd2Form.test(text))
    throw new CertificateRefusal(
      "organisation_identifier_malformed",
      `not of the form PSDcc-AUTHORITY-number: ${text}`,
    );
  return text as OrganisationIdentifier;
}

/** Returns country and authority of an identifier, in the form of nCAId (`CZ-CNB`). */
export function authorityOf(identifier: OrganisationIdentifier): string {
  const prefix = "PSD".length;
  return identifier.slice(prefix, identifier.indexOf("-", prefix + "CC-".length));
}
