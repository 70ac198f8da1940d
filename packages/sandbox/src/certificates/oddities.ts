/**
 * Certificates that are odd but legal: each differs from the usual in a way that careless readers trip over, and must still be
 * accepted.
 */
import * as extension from "./certificate-extension.ts";
import { type CertificateOrder, orderOfAuthority, under } from "./certificate-order.ts";
import type { NameAttribute } from "./certificate-plan.ts";
import {
  attributed,
  belowAuthority,
  critical,
  extended,
  licensed,
  playing,
  role,
  stating,
  statingToo,
  textOf,
  without,
} from "./defects/changes.ts";
import type { Change } from "./defects/defect.ts";
import { derElement, derOid, derPositiveInteger, derSequence, derUtf8String } from "./der.ts";
import {
  derBmpString,
  derGeneralizedTimeText,
  derPrintableString,
  derTeletexString,
  derUniversalString,
} from "./der-strings.ts";
import { subjectOids } from "./subject-attribute.ts";

/** One way for a valid certificate to be odd. */
export type Oddity = {
  /** In kebab-case; also names the files. */
  readonly name: string;
  /** What is odd, in a sentence. */
  readonly odd: string;
  /** The clause that allows it. */
  readonly clause: string;
  readonly change: Change;
};

const { extensionOids } = extension;
const { countryName, organizationIdentifier, organizationName } = subjectOids;
const directoryString = "RFC 5280 4.1.2.4";
const identifierClause = "ETSI TS 119 495 GEN-5.2.1-3";
const strength = "ETSI TS 119 312";
const companyName = "Žlutý kůň a.s.";

const rows: readonly (readonly [name: string, odd: string, clause: string, change: Change])[] = [
  [
    "name-utf8-beyond-plane",
    "Its organisation name has 256 characters beyond the basic plane.",
    directoryString,
    attributed(organizationName, derUtf8String("🏦".repeat(256))),
  ],
  [
    "name-printable",
    "Its organisation name is a PrintableString.",
    directoryString,
    attributed(organizationName, derPrintableString("Plain Payments")),
  ],
  [
    "name-bmp",
    "Its organisation name is a BMPString.",
    directoryString,
    attributed(organizationName, derBmpString(companyName)),
  ],
  [
    "name-universal",
    "Its organisation name is a UniversalString.",
    directoryString,
    attributed(organizationName, derUniversalString(companyName)),
  ],
  [
    "name-teletex",
    "Its organisation name is a TeletexString in Latin-1.",
    directoryString,
    attributed(organizationName, derTeletexString("Société Générale")),
  ],
  [
    "identifier-printable",
    "Its organisation identifier is a PrintableString.",
    directoryString,
    (right) =>
      attributed(
        organizationIdentifier,
        derPrintableString(textOf(right.subject, organizationIdentifier)),
      )(right),
  ],
  [
    "identifier-bmp",
    "Its organisation identifier is a BMPString.",
    directoryString,
    (right) =>
      attributed(organizationIdentifier, derBmpString(textOf(right.subject, organizationIdentifier)))(right),
  ],
  [
    "identifier-leading-zeros",
    "Its authorisation number begins with zeros, which count.",
    identifierClause,
    attributed(organizationIdentifier, derUtf8String("PSDCZ-CNB-00000011")),
  ],
  [
    "identifier-with-spaces",
    "Its authorisation number has spaces, a slash and letters.",
    identifierClause,
    attributed(organizationIdentifier, derUtf8String("PSDCZ-CNB-HRB 12/345 Ž")),
  ],
  [
    "authority-finland",
    "Its authority is the Finnish one, and its number has hyphens.",
    identifierClause,
    foreign("PSDFI-FINFSA-2858394-9", "FI-FINFSA", "Finanssivalvonta"),
  ],
  [
    "authority-germany",
    "Its authority is the German one.",
    identifierClause,
    foreign("PSDDE-BAFIN-123456", "DE-BAFIN", "Bundesanstalt für Finanzdienstleistungsaufsicht"),
  ],
  [
    "authority-slovakia",
    "Its authority is the Slovak one.",
    identifierClause,
    foreign("PSDSK-NBS-99000022", "SK-NBS", "Národná banka Slovenska"),
  ],
  [
    "authority-two-letters",
    "Its authority has only two letters.",
    "ETSI TS 119 495 GEN-5.2.3-2",
    foreign("PSDIE-CB-C12345", "IE-CB", "Central Bank of Ireland"),
  ],
  [
    "subject-multi-valued",
    "All attributes of its subject are in one set.",
    directoryString,
    ({ subject }) => ({ subject: inOneSet(subject) }),
  ],
  [
    "subject-reversed",
    "The attributes of its subject are in reverse order.",
    directoryString,
    ({ subject }) => ({ subject: [...subject].reverse() }),
  ],
  [
    "subject-with-more",
    "Its subject has a street, a state and a serial number too.",
    "ETSI EN 319 412-3 4.2.1",
    ({ subject }) => ({
      subject: [
        ...subject,
        ...["2.5.4.9", "2.5.4.8", "2.5.4.5"].map((oid) => ({ oid, value: derUtf8String("99000011") })),
      ],
    }),
  ],
  [
    "subject-without-common-name",
    "Its subject has no common name.",
    directoryString,
    attributed(subjectOids.commonName),
  ],
  [
    "all-four-roles",
    "It has all four roles, the last one first.",
    "ETSI TS 119 495 GEN-5.2.2-1",
    playing(role(4, "PSP_IC"), role(3, "PSP_AI"), role(2, "PSP_PI"), role(1, "PSP_AS")),
  ],
  [
    "role-of-payee-verification",
    "It has a role of verification of payee beside its own.",
    "ETSI TS 119 495 GEN-5.2.2-2",
    playing(role(3, "PSP_AI"), role(52, "VOP_VS")),
  ],
  [
    "statements-unknown",
    "It has further statements that are not read here, including an unknown one.",
    "RFC 3739 3.2.6",
    statingToo(
      derSequence(derOid("0.4.0.1862.1.4")),
      derSequence(derOid("1.2.3.4.5"), derUtf8String("unknown")),
    ),
  ],
  [
    "statements-reversed",
    "Its PSD2 statement comes first.",
    "RFC 3739 3.2.6",
    stating((right) => right.map(({ encoded }) => encoded).reverse()),
  ],
  ["key-rsa-2048", "Its key is RSA of 2048 bits.", strength, () => ({ keyType: "RSA-2048" })],
  ["key-rsa-3072", "Its key is RSA of 3072 bits.", strength, () => ({ keyType: "RSA-3072" })],
  ["key-rsa-4096", "Its key is RSA of 4096 bits.", strength, () => ({ keyType: "RSA-4096" })],
  ["key-p384", "Its key is on the curve P-384.", strength, () => ({ keyType: "P-384" })],
  ["key-p521", "Its key is on the curve P-521.", strength, () => ({ keyType: "P-521" })],
  ["key-ed25519", "Its key is Ed25519.", "RFC 8410", () => ({ keyType: "Ed25519" })],
  [
    "signed-with-sha512",
    "It is signed with ECDSA over SHA-512.",
    strength,
    () => ({ signedWith: "ecdsa-sha512" }),
  ],
  [
    "signed-with-rsa",
    "An authority with an RSA key signed it.",
    strength,
    belowAuthority(() => ({ keyType: "RSA-2048" })),
  ],
  [
    "signed-with-pss",
    "It is signed with RSASSA-PSS.",
    "RFC 4055 3.1",
    (right) => ({ ...belowAuthority(() => ({ keyType: "RSA-2048" }))(right), signedWith: "pss-sha256" }),
  ],
  [
    "chain-of-two",
    "Two authorities are between it and the anchor; its holder sends both.",
    "RFC 5280 6.1",
    belowTwo,
  ],
  [
    "issuer-limited-to-clients",
    "The authority that issued it may issue for clients only.",
    "RFC 5280 4.2.1.12",
    belowAuthority(extended(extension.extendedKeyUsage("clientAuth"))),
  ],
  [
    "issuer-path-length-zero",
    "The authority that issued it may have no authority below it.",
    "RFC 5280 4.2.1.9",
    belowAuthority(extended(extension.basicConstraints(true, 0))),
  ],
  [
    "no-alternative-name",
    "It has no subject alternative name.",
    "RFC 5280 4.2.1.6",
    without(extensionOids.subjectAlternativeName),
  ],
  [
    "no-policies",
    "It names no certificate policy.",
    "ETSI TS 119 495 5.1",
    without(extensionOids.certificatePolicies),
  ],
  [
    "psd2-policy",
    "It names the policy of PSD2 beside that of qualified websites.",
    "ETSI TS 119 495 5.1",
    extended(extension.certificatePolicies("0.4.0.194112.1.5", "0.4.0.19495.3.1")),
  ],
  [
    "no-basic-constraints",
    "It has no basic constraints.",
    "RFC 5280 4.2.1.9",
    without(extensionOids.basicConstraints),
  ],
  ["no-key-usage", "It has no key usage.", "RFC 5280 4.2.1.3", without(extensionOids.keyUsage)],
  [
    "client-purpose-alone",
    "Its extended key usage names clients only.",
    "RFC 5280 4.2.1.12",
    extended(extension.extendedKeyUsage("clientAuth")),
  ],
  [
    "critical-policies-and-names",
    "Its policies and alternative names are critical.",
    "RFC 5280 4.2.1.4, 4.2.1.6",
    (right) =>
      critical(extensionOids.certificatePolicies)({
        ...right,
        ...critical(extensionOids.subjectAlternativeName)(right),
      }),
  ],
  [
    "flags-spelled-out",
    "Its extensions say explicitly that they are not critical.",
    "RFC 5280 4.2",
    ({ extensions }) => ({ extensions: extensions.map((each) => ({ ...each, spellsDefault: true })) }),
  ],
  [
    "unknown-extension",
    "It has an unknown extension that is not critical.",
    "RFC 5280 4.2",
    extended({ oid: "1.2.3.4", critical: false, value: derUtf8String("unknown") }),
  ],
  [
    "valid-until-9999",
    "It has no well-defined end.",
    "RFC 5280 4.1.2.5",
    () => ({ notAfter: derGeneralizedTimeText("99991231235959Z") }),
  ],
  [
    "valid-as-generalized-time",
    "Its end before 2050 is a GeneralizedTime.",
    "RFC 5280 4.1.2.5",
    (right) => ({ notAfter: derGeneralizedTimeText(`${right.now.getUTCFullYear() + 1}1231235959Z`) }),
  ],
  [
    "serial-of-20-octets",
    "Its serial number has 20 octets, the highest bit set.",
    "RFC 5280 4.1.2.2",
    () => ({ serial: derPositiveInteger(Buffer.alloc(20, 0xfe)) }),
  ],
  [
    "serial-of-one-octet",
    "Its serial number is 3.",
    "RFC 5280 4.1.2.2",
    () => ({ serial: derPositiveInteger(Buffer.from([3])) }),
  ],
  [
    "several-responders",
    "It names two OCSP responders, the first of which does not answer.",
    "RFC 5280 4.2.2.1",
    (right) =>
      extended(
        extension.authorityInformationAccess(
          "http://localhost:1/ocsp",
          ...(right.sources.ocsp === undefined ? [] : [right.sources.ocsp]),
        ),
      )(right),
  ],
  [
    "responder-alone",
    "It names an OCSP responder and no CRL.",
    "ETSI EN 319 412-2 4.4.1",
    without(extensionOids.crlDistributionPoints),
  ],
  [
    "crl-alone",
    "It names a CRL and no OCSP responder.",
    "ETSI EN 319 412-2 4.3.11",
    without(extensionOids.authorityInformationAccess),
  ],
];

/** All oddities. */
export const oddities: readonly Oddity[] = rows.map(([name, odd, clause, change]) => ({
  name,
  odd,
  clause,
  change,
}));

/** Makes the TPP one of another country, with matching identifier and authority. */
function foreign(identifier: string, id: string, name: string): Change {
  return (right) => {
    const subject = {
      ...right,
      ...attributed(organizationIdentifier, derUtf8String(identifier))(right),
    };
    const country = attributed(countryName, derPrintableString(id.slice(0, 2)))(subject);
    return {
      ...country,
      ...licensed(([roles = derSequence()]) => [roles, derUtf8String(name), derUtf8String(id)])(right),
    };
  };
}

/** Puts all attributes in one set, which RFC 5280 4.1.2.4 allows; DER sorts them by their octets (X.690 11.6). */
function inOneSet(subject: readonly NameAttribute[]): readonly NameAttribute[] {
  const encoded = ({ oid, value }: NameAttribute) => Buffer.from(derElement(0x30, derOid(oid), value));
  const [first, ...beside] = [...subject].sort((one, other) => Buffer.compare(encoded(one), encoded(other)));
  return first === undefined ? [] : [{ ...first, beside }];
}

function belowTwo(right: CertificateOrder): Partial<CertificateOrder> {
  const upper = orderOfAuthority(`${right.name}.upper`, right);
  const lower = orderOfAuthority(`${right.name}.issuer`, right);
  return under(right, { ...lower, ...under(lower, upper) });
}
