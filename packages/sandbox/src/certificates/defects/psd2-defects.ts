import { derElement, derOid, derSequence, derUtf8String } from "../der.ts";
import { derPrintableString } from "../der-strings.ts";
import { psd2StatementOid } from "../qc-statements.ts";
import { licensed, playing, restating, role } from "./changes.ts";
import { type Change, type Defect, refusedWith } from "./defect.ts";

const roleClause = "ETSI TS 119 495 GEN-5.2.2";
const authorityClause = "ETSI TS 119 495 GEN-5.2.3-2";
const module = "ETSI TS 119 495 annex A";
const named = (name: Uint8Array): Change =>
  licensed(([roles = derSequence(), , id = derSequence()]) => [roles, name, id]);
const supervised = (id: Uint8Array): Change => licensed((members) => [...members.slice(0, 2), id]);

/** Table: defects inside the PSD2 statement. */
export const psd2Defects: readonly Defect[] = [
  ...refusedWith("psd2_statement_malformed", [
    [
      "roles-flattened",
      "Identifiers and names of two roles are in one sequence.",
      module,
      playing(
        derSequence(
          derOid("0.4.0.19495.1.3"),
          derUtf8String("PSP_AI"),
          derOid("0.4.0.19495.1.2"),
          derUtf8String("PSP_PI"),
        ),
      ),
    ],
    [
      "role-not-wrapped",
      "The identifier and name of its role are not in a sequence of their own.",
      module,
      playing(derOid("0.4.0.19495.1.3"), derUtf8String("PSP_AI")),
    ],
    ["role-without-name", "Its role has no name.", module, playing(derSequence(derOid("0.4.0.19495.1.3")))],
    [
      "role-name-first",
      "The name of its role comes before the identifier.",
      module,
      playing(derSequence(derUtf8String("PSP_AI"), derOid("0.4.0.19495.1.3"))),
    ],
    [
      "role-name-printable",
      "The name of its role is a PrintableString.",
      module,
      playing(derSequence(derOid("0.4.0.19495.1.3"), derPrintableString("PSP_AI"))),
    ],
    ["roles-empty", "It has no role.", `${roleClause}-1`, playing()],
    ["role-twice", "It has a role twice.", roleClause, playing(role(3, "PSP_AI"), role(3, "PSP_AI"))],
    [
      "unspecified-beside-others",
      "It has the unspecified role beside another.",
      `${roleClause}-5`,
      playing(role(0, "Unspecified"), role(3, "PSP_AI")),
    ],
    [
      "psd2-statement-without-value",
      "Its PSD2 statement is empty.",
      module,
      restating(psd2StatementOid, derSequence(derOid(psd2StatementOid))),
    ],
    [
      "nca-id-missing",
      "Its PSD2 statement has no nCAId.",
      module,
      licensed((members) => members.slice(0, 2)),
    ],
    [
      "fourth-member",
      "Its PSD2 statement has one member too many.",
      module,
      licensed((members) => [...members, derUtf8String("more")]),
    ],
    [
      "authority-before-roles",
      "The members of its PSD2 statement are in the wrong order.",
      module,
      licensed(([roles = derSequence(), ...authority]) => [...authority, roles]),
    ],
    [
      "nca-id-lower-case",
      "Its nCAId is in small letters.",
      authorityClause,
      supervised(derUtf8String("cz-cnb")),
    ],
    [
      "nca-id-without-country",
      "Its nCAId has no country.",
      authorityClause,
      supervised(derUtf8String("CNB")),
    ],
    [
      "nca-id-too-long",
      "The authority in its nCAId has nine letters.",
      authorityClause,
      supervised(derUtf8String("CZ-CNBCNBCNB")),
    ],
    [
      "nca-id-with-space",
      "Its nCAId ends with a space.",
      authorityClause,
      supervised(derUtf8String("CZ-CNB ")),
    ],
    ["nca-id-printable", "Its nCAId is a PrintableString.", module, supervised(derPrintableString("CZ-CNB"))],
    ["nca-name-empty", "Its nCAName is empty.", module, named(derUtf8String(""))],
    ["nca-name-too-long", "Its nCAName has 257 characters.", module, named(derUtf8String("B".repeat(257)))],
    [
      "nca-name-printable",
      "Its nCAName is a PrintableString.",
      module,
      named(derPrintableString("Czech National Bank")),
    ],
    [
      "nca-name-not-utf8",
      "Its nCAName is not UTF-8.",
      module,
      named(derElement(0x0c, Buffer.from([0xc3, 0x28]))),
    ],
  ]),
  ...refusedWith("role_unknown", [
    [
      "role-unknown",
      "It has a role that the standard does not list.",
      `${roleClause}-2`,
      playing(role(9, "PSP_AI")),
    ],
    [
      "role-unknown-beside-others",
      "It has a role that the standard does not list beside one that it lists.",
      `${roleClause}-2`,
      playing(role(3, "PSP_AI"), role(9, "PSP_XX")),
    ],
    [
      "role-of-another-tree",
      "The identifier of its role is not that of an ETSI role.",
      `${roleClause}-2`,
      playing(derSequence(derOid("1.2.3.4"), derUtf8String("PSP_AI"))),
    ],
  ]),
  ...refusedWith("role_name_mismatch", [
    [
      "role-name-of-another",
      "Its role is PSP_AI by the identifier, and PSP_PI by the name.",
      `${roleClause}-3`,
      playing(role(3, "PSP_PI")),
    ],
    [
      "role-name-lower-case",
      "The name of its role is in small letters.",
      `${roleClause}-3`,
      playing(role(3, "psp_ai")),
    ],
    [
      "role-name-with-nul",
      "The name of its role ends with a NUL.",
      `${roleClause}-3`,
      playing(role(3, "PSP_AI\0")),
    ],
    [
      "role-name-of-people",
      "The name of its role is AISP, as people say, and not PSP_AI.",
      `${roleClause}-3`,
      playing(role(3, "AISP")),
    ],
  ]),
  ...refusedWith("no_tpp_role", [
    [
      "psp-as-only",
      "Its only role is PSP_AS, that of a bank that keeps accounts.",
      "EBA-Op-2018-7",
      playing(role(1, "PSP_AS")),
    ],
    [
      "unspecified-alone",
      "Its only role is the unspecified one.",
      `${roleClause}-5`,
      playing(role(0, "Unspecified")),
    ],
    [
      "verification-of-payee-alone",
      "Its only role is that of verification of payee.",
      roleClause,
      playing(role(51, "VOP_RS")),
    ],
  ]),
];
