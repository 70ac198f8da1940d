import { derUtf8String } from "../der.ts";
import { derIa5String } from "../der-strings.ts";
import { subjectOids } from "../subject-attribute.ts";
import { attributed, identified } from "./changes.ts";
import { type Defect, refusedWith } from "./defect.ts";

const { organizationIdentifier, organizationName } = subjectOids;
const clause = "ETSI TS 119 495 GEN-5.2.1-3";
const legalForms = "ETSI EN 319 412-1 5.1.4";
const nameClause = "ETSI EN 319 412-3 4.2.1";
const otherAuthority = "ETSI TS 119 495 5.2.1, 5.2.3";

/** Table: defects of the organisation in the subject. */
export const subjectDefects: readonly Defect[] = [
  ...refusedWith("organisation_identifier_missing", [
    [
      "organisation-identifier-missing",
      "Its subject has no organisation identifier.",
      clause,
      attributed(organizationIdentifier),
    ],
  ]),
  ...refusedWith("organisation_identifier_malformed", [
    [
      "organisation-identifier-twice",
      "Its subject has two organisation identifiers.",
      clause,
      attributed(
        organizationIdentifier,
        derUtf8String("PSDCZ-CNB-99000011"),
        derUtf8String("PSDCZ-CNB-99000012"),
      ),
    ],
    [
      "organisation-identifier-lower-case",
      "Its organisation identifier is in small letters.",
      clause,
      identified((right) => right.toLowerCase()),
    ],
    [
      "organisation-identifier-without-number",
      "Its organisation identifier ends before the number.",
      clause,
      identified((right) => right.replace(/[^-]+$/, "")),
    ],
    [
      "organisation-identifier-without-authority",
      "Its organisation identifier names no authority.",
      clause,
      identified((right) => right.replace(/-[^-]+-/, "-")),
    ],
    [
      "organisation-identifier-number-alone",
      "Its organisation identifier is a number alone.",
      clause,
      identified((right) => right.replace(/^.*-/, "")),
    ],
    [
      "organisation-identifier-trailing-space",
      "Its organisation identifier ends with a space.",
      clause,
      identified((right) => `${right} `),
    ],
    [
      "organisation-identifier-invisible",
      "Its organisation identifier has an invisible character.",
      clause,
      identified((right) => `${right.slice(0, -4)}\u200b${right.slice(-4)}`),
    ],
    [
      "organisation-identifier-with-nul",
      "Its organisation identifier has a NUL.",
      clause,
      identified((right) => `${right.slice(0, -4)}\0${right.slice(-4)}`),
    ],
    [
      "organisation-identifier-byte-order-mark",
      "Its organisation identifier begins with a byte order mark.",
      clause,
      identified((right) => `\ufeff${right}`),
    ],
    [
      "organisation-identifier-too-long",
      "Its organisation identifier has more than 256 characters.",
      clause,
      identified((right) => right.padEnd(257, "1")),
    ],
    [
      "organisation-identifier-ia5",
      "Its organisation identifier is an IA5String, which names must not use.",
      "RFC 5280 4.1.2.4",
      attributed(organizationIdentifier, derIa5String("PSDCZ-CNB-99000011")),
    ],
  ]),
  ...refusedWith("organisation_identifier_unsupported", [
    [
      "organisation-identifier-vat",
      "It identifies its organisation by a VAT number.",
      legalForms,
      identified(() => "VATCZ-99000011"),
    ],
    [
      "organisation-identifier-ntr",
      "It identifies its organisation by a trade register.",
      legalForms,
      identified(() => "NTRCZ-99000011"),
    ],
    [
      "organisation-identifier-ntr-state",
      "It identifies its organisation by the trade register of a state.",
      legalForms,
      identified(() => "NTRUS+DE-99000011"),
    ],
    [
      "organisation-identifier-lei",
      "It identifies its organisation by an LEI.",
      legalForms,
      identified(() => "LEIXG-529900T8BM49AURSDO55"),
    ],
    [
      "organisation-identifier-national",
      "It identifies its organisation by a national scheme.",
      legalForms,
      identified(() => "CZ:IC-99000011"),
    ],
  ]),
  ...refusedWith("organisation_name_missing", [
    [
      "organisation-name-missing",
      "Its subject has no organisation name.",
      nameClause,
      attributed(organizationName),
    ],
    [
      "organisation-name-twice",
      "Its subject has two organisation names.",
      nameClause,
      attributed(organizationName, derUtf8String("First"), derUtf8String("Second")),
    ],
    [
      "organisation-name-empty",
      "The organisation name in its subject is empty.",
      nameClause,
      attributed(organizationName, derUtf8String("")),
    ],
    [
      "organisation-name-of-spaces",
      "The organisation name in its subject has only spaces.",
      nameClause,
      attributed(organizationName, derUtf8String("   ")),
    ],
    [
      "organisation-name-invisible",
      "The organisation name in its subject is a zero-width space.",
      nameClause,
      attributed(organizationName, derUtf8String("\u200b")),
    ],
    [
      "organisation-name-reordered",
      "The organisation name in its subject has a mark that reverses the text after it.",
      nameClause,
      attributed(organizationName, derUtf8String("Bank\u202e.o.r.s")),
    ],
    [
      "organisation-name-with-line-break",
      "The organisation name in its subject has a line break.",
      nameClause,
      attributed(organizationName, derUtf8String("One\nTwo")),
    ],
  ]),
  ...refusedWith("authority_mismatch", [
    [
      "authority-mismatch",
      "Its organisation identifier names a different authority and country than its PSD2 statement.",
      otherAuthority,
      identified(() => "PSDDE-BAFIN-99000011"),
    ],
    [
      "country-mismatch",
      "Its organisation identifier names a different country than its PSD2 statement.",
      otherAuthority,
      identified((right) => right.replace(/^PSD../, "PSDDE")),
    ],
    [
      "nca-mismatch",
      "Its organisation identifier names a different authority of the same country than its PSD2 statement.",
      otherAuthority,
      identified((right) => right.replace(/-[A-Z]+-/, "-MFCR-")),
    ],
  ]),
];
