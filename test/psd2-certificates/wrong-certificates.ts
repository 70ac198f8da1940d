/** Certificates that differ from a correct one in exactly one wrong thing. A table, with the code with which each is refused. */
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import type { CertificateRefusalCode } from "@cobs/psd2-certificates";
import {
  basicConstraints,
  extendedKeyUsage,
  extensionOids,
  keyUsage,
  permittedDnsNames,
  qcStatements,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  derBitString,
  derElement,
  derOid,
  derSequence,
  derSmallInteger,
  derUtf8String,
} from "../../packages/sandbox/src/certificates/der.ts";
import {
  encodePsd2Statement,
  encodeQcStatements,
} from "../../packages/sandbox/src/certificates/qc-statements.ts";
import {
  algorithms,
  attribute,
  authority,
  bmpString,
  extension,
  generalizedTime,
  keyOf,
  oids,
  type Plan,
  pointOf,
  printableString,
  qwacExtensions,
  rsaWith,
  tppSubject,
  utcTime,
} from "./certificate-builder.ts";

const compliance = derSequence(derOid("0.4.0.1862.1.1"));
const type = (...types: readonly string[]) =>
  derSequence(derOid("0.4.0.1862.1.6"), derSequence(...types.map((id) => derOid(`0.4.0.1862.1.6.${id}`))));
const psd2 = encodePsd2Statement({ roles: ["PSP_AI"], authority });
const role = (number: number, name: string) =>
  derSequence(derOid(`0.4.0.19495.1.${number}`), derUtf8String(name));
const psd2Around = (roles: Uint8Array, ...rest: readonly Uint8Array[]) =>
  derSequence(derOid("0.4.0.19495.2"), derSequence(roles, ...rest));
const nca = [derUtf8String(authority.name), derUtf8String(authority.id)];
const withStatements = (...statements: readonly Uint8Array[]) => ({
  extensions: qwacExtensions(derSequence(...statements)),
});
const withRoles = (...roles: readonly Uint8Array[]) =>
  withStatements(compliance, type("3"), psd2Around(derSequence(...roles), ...nca));
const withAuthority = (...texts: readonly Uint8Array[]) =>
  withStatements(compliance, type("3"), psd2Around(derSequence(role(3, "PSP_AI")), ...texts));
const identified = (identifier: string) => ({ subject: tppSubject(identifier) });
const without = (oid: string) => tppSubject().filter((each) => each.oid !== oid);
const [constraints, usage, purposes, statements] = qwacExtensions();
const replaced = (...given: readonly (Uint8Array | undefined)[]) => ({
  extensions: given.filter((each) => each !== undefined),
});

const writtenOut = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  paramEncoding: "explicit",
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "der" },
}).publicKey;
const point = createPublicKey(keyOf("P-256", "leaf")).export({ type: "spki", format: "der" }).subarray(-65);

/** The defect, the code of the refusal, and the change of a correct plan. */
export type WrongCertificate = readonly [what: string, code: CertificateRefusalCode, changes: Partial<Plan>];

export const wrongCertificates: readonly WrongCertificate[] = [
  // certificate_malformed (RFC 5280 4.1)
  ["version 1", "certificate_malformed", { version: derElement(0xa0, derSmallInteger(0)) }],
  ["no version", "certificate_malformed", { version: Buffer.alloc(0) }],
  ["no extensions at all", "certificate_malformed", { extensions: [] }],
  [
    "an extension twice",
    "certificate_malformed",
    { extensions: [...qwacExtensions(), ...qwacExtensions().slice(3)] },
  ],
  ["a negative serial number", "certificate_malformed", { serial: derElement(0x02, Buffer.from([0x80])) }],
  ["serial number zero", "certificate_malformed", { serial: derSmallInteger(0) }],
  ["a padded serial number", "certificate_malformed", { serial: derElement(0x02, Buffer.from([0, 1])) }],
  [
    "a serial number of 21 octets",
    "certificate_malformed",
    { serial: derElement(0x02, Buffer.alloc(21, 1)) },
  ],
  [
    "another algorithm outside",
    "certificate_malformed",
    { outerAlgorithm: algorithms["rsa-sha256"].identifier },
  ],
  ["a day that does not exist", "certificate_malformed", { notAfter: utcTime("270230000000Z") }],
  ["a time without seconds", "certificate_malformed", { notAfter: utcTime("2701010000Z") }],
  ["a time with a fraction", "certificate_malformed", { notAfter: generalizedTime("20270101000000.5Z") }],
  ["a time with an offset", "certificate_malformed", { notAfter: utcTime("270101000000+0100") }],
  [
    "keyUsage that is no BIT STRING",
    "certificate_malformed",
    replaced(
      constraints,
      extension({ oid: extensionOids.keyUsage, critical: true, value: derSmallInteger(1) }),
      purposes,
      statements,
    ),
  ],
  // validity (RFC 5280 4.1.2.5)
  ["ended a second ago", "certificate_expired", { notAfter: utcTime("261115115959Z") }],
  ["begins in a second", "certificate_not_yet_valid", { notBefore: utcTime("261115120001Z") }],
  // strength (ETSI TS 119 312)
  ["signed with SHA-1", "signature_weak", { signedWith: "ecdsa-sha1" }],
  ["RSA of 1024 bits", "key_weak", { key: keyOf("rsa-1024") }],
  ["RSA of 2047 bits", "key_weak", { key: rsaWith({ n: Buffer.alloc(256, 0xff).fill(0x7f, 0, 1) }) }],
  ["RSA of 8193 bits", "key_weak", { key: rsaWith({ n: Buffer.alloc(1_025, 0xff).fill(0x01, 0, 1) }) }],
  ["RSA with the exponent 1", "key_weak", { key: rsaWith({ e: Buffer.from([1]) }) }],
  ["RSA with an even exponent", "key_weak", { key: rsaWith({ e: Buffer.from([4]) }) }],
  ["a curve outside the list", "key_weak", { key: keyOf("secp256k1") }],
  ["P-256 with its parameters written out (RFC 5480 2.1.1)", "key_weak", { encodedKey: writtenOut }],
  ["a point at infinity", "key_weak", { encodedKey: pointOf(Buffer.alloc(1)) }],
  ["a point off the curve", "key_weak", { encodedKey: pointOf(Buffer.alloc(65, 4)) }],
  [
    "a point in hybrid form (RFC 5480 2.2)",
    "key_weak",
    { encodedKey: pointOf(Buffer.concat([Buffer.from([6 + ((point.at(-1) ?? 0) & 1)]), point.subarray(1)])) },
  ],
  [
    "a key of no kind",
    "key_weak",
    { encodedKey: derSequence(derSequence(derOid("1.2.3")), derBitString(point)) },
  ],
  // critical extensions (RFC 5280 4.2, EN 319 412-5 QCS-4.1-02)
  [
    "critical name constraints",
    "extension_unsupported",
    { extensions: [...qwacExtensions(), extension(permittedDnsNames("example"))] },
  ],
  [
    "an unknown critical extension",
    "extension_unsupported",
    {
      extensions: [
        ...qwacExtensions(),
        extension({ oid: "1.2.3.4", critical: true, value: derSmallInteger(1) }),
      ],
    },
  ],
  [
    "critical qcStatements",
    "extension_unsupported",
    replaced(
      constraints,
      usage,
      purposes,
      extension({
        ...qcStatements(encodeQcStatements("web", { roles: ["PSP_AI"], authority })),
        critical: true,
      }),
    ),
  ],
  // qualified, and a QWAC (EN 319 412-5 4.2)
  ["no QcCompliance", "not_qualified", withStatements(type("3"), psd2)],
  [
    "the legislation of another country",
    "not_qualified",
    withStatements(
      compliance,
      type("3"),
      psd2,
      derSequence(derOid("0.4.0.1862.1.7"), derSequence(printableString("GB"))),
    ),
  ],
  ["a QSealC", "qc_type_not_web", withStatements(compliance, type("2"), psd2)],
  ["web and seal at once", "qc_type_not_web", withStatements(compliance, type("3", "2"), psd2)],
  ["web twice", "qc_type_not_web", withStatements(compliance, type("3", "3"), psd2)],
  ["an empty QcType", "qc_type_not_web", withStatements(compliance, type(), psd2)],
  ["no QcType", "qc_type_not_web", withStatements(compliance, psd2)],
  [
    "QcType without a value",
    "qc_type_not_web",
    withStatements(compliance, derSequence(derOid("0.4.0.1862.1.6")), psd2),
  ],
  // purpose (RFC 5280 4.2.1.3, 4.2.1.9, 4.2.1.12)
  [
    "serverAuth alone",
    "purpose_not_client",
    replaced(constraints, usage, extension(extendedKeyUsage("serverAuth")), statements),
  ],
  [
    "any purpose instead of a named one",
    "purpose_not_client",
    replaced(
      constraints,
      usage,
      extension({
        oid: extensionOids.extendedKeyUsage,
        critical: false,
        value: derSequence(derOid("2.5.29.37.0")),
      }),
      statements,
    ),
  ],
  ["no extKeyUsage", "purpose_not_client", replaced(constraints, usage, statements)],
  [
    "keyUsage without digitalSignature",
    "purpose_not_client",
    replaced(constraints, extension(keyUsage("keyEncipherment")), purposes, statements),
  ],
  [
    "an authority as a client",
    "purpose_not_client",
    replaced(extension(basicConstraints(true)), usage, purposes, statements),
  ],
  // PSD2 statement (ETSI TS 119 495 5.1, 5.2)
  ["no qcStatements", "psd2_statement_missing", replaced(constraints, usage, purposes)],
  ["no PSD2 statement", "psd2_statement_missing", withStatements(compliance, type("3"))],
  [
    "qcStatements that are no sequence",
    "psd2_statement_malformed",
    { extensions: qwacExtensions(derUtf8String("web")) },
  ],
  [
    "octets after the qcStatements",
    "psd2_statement_malformed",
    { extensions: qwacExtensions(Buffer.concat([encodeQcStatements("web"), derSmallInteger(1)])) },
  ],
  ["two PSD2 statements", "psd2_statement_malformed", withStatements(compliance, type("3"), psd2, psd2)],
  ["two QcTypes", "psd2_statement_malformed", withStatements(compliance, type("3"), type("3"), psd2)],
  [
    "a statement of three members",
    "psd2_statement_malformed",
    withStatements(
      compliance,
      type("3"),
      derSequence(derOid("1.2.3"), derSmallInteger(1), derSmallInteger(1)),
      psd2,
    ),
  ],
  [
    "a PSD2 statement without a value",
    "psd2_statement_malformed",
    withStatements(compliance, type("3"), derSequence(derOid("0.4.0.19495.2"))),
  ],
  ["qcStatements without any", "psd2_statement_malformed", withStatements()],
  ["no nCAId", "psd2_statement_malformed", withAuthority(derUtf8String(authority.name))],
  ["a fourth member", "psd2_statement_malformed", withAuthority(...nca, derUtf8String("more"))],
  ["no role", "psd2_statement_malformed", withRoles()],
  [
    "all roles in one sequence",
    "psd2_statement_malformed",
    withRoles(
      derSequence(
        derOid("0.4.0.19495.1.3"),
        derUtf8String("PSP_AI"),
        derOid("0.4.0.19495.1.2"),
        derUtf8String("PSP_PI"),
      ),
    ),
  ],
  [
    "identifiers and names side by side",
    "psd2_statement_malformed",
    withStatements(
      compliance,
      type("3"),
      psd2Around(derSequence(derOid("0.4.0.19495.1.3"), derUtf8String("PSP_AI")), ...nca),
    ),
  ],
  ["a role without its name", "psd2_statement_malformed", withRoles(derSequence(derOid("0.4.0.19495.1.3")))],
  [
    "a role with two names",
    "psd2_statement_malformed",
    withRoles(derSequence(derOid("0.4.0.19495.1.3"), derUtf8String("PSP_AI"), derUtf8String("PSP_PI"))),
  ],
  [
    "a role with its name first",
    "psd2_statement_malformed",
    withRoles(derSequence(derUtf8String("PSP_AI"), derOid("0.4.0.19495.1.3"))),
  ],
  ["a role twice", "psd2_statement_malformed", withRoles(role(3, "PSP_AI"), role(3, "PSP_AI"))],
  [
    "Unspecified beside a role",
    "psd2_statement_malformed",
    withRoles(role(0, "Unspecified"), role(3, "PSP_AI")),
  ],
  [
    "a role name as PrintableString",
    "psd2_statement_malformed",
    withRoles(derSequence(derOid("0.4.0.19495.1.3"), printableString("PSP_AI"))),
  ],
  [
    "nCAId as PrintableString",
    "psd2_statement_malformed",
    withAuthority(derUtf8String(authority.name), printableString("CZ-CNB")),
  ],
  [
    "nCAId in small letters",
    "psd2_statement_malformed",
    withAuthority(derUtf8String(authority.name), derUtf8String("cz-cnb")),
  ],
  [
    "nCAId without a country",
    "psd2_statement_malformed",
    withAuthority(derUtf8String(authority.name), derUtf8String("CNB")),
  ],
  [
    "nCAId with a line break",
    "psd2_statement_malformed",
    withAuthority(derUtf8String(authority.name), derUtf8String("CZ-CNB\n")),
  ],
  [
    "nCAId of one letter",
    "psd2_statement_malformed",
    withAuthority(derUtf8String(authority.name), derUtf8String("CZ-A")),
  ],
  [
    "nCAId of nine letters",
    "psd2_statement_malformed",
    withAuthority(derUtf8String(authority.name), derUtf8String("CZ-ABCDEFGHI")),
  ],
  ["an empty nCAName", "psd2_statement_malformed", withAuthority(derUtf8String(""), derUtf8String("CZ-CNB"))],
  [
    "nCAName of 257 characters",
    "psd2_statement_malformed",
    withAuthority(derUtf8String("ž".repeat(257)), derUtf8String("CZ-CNB")),
  ],
  [
    "nCAName that is not UTF-8",
    "psd2_statement_malformed",
    withAuthority(derElement(0x0c, Buffer.from([0xc3, 0x28])), derUtf8String("CZ-CNB")),
  ],
  ["an unknown role", "role_unknown", withRoles(role(9, "PSP_AI"))],
  ["an unknown role beside a known one", "role_unknown", withRoles(role(3, "PSP_AI"), role(9, "PSP_XX"))],
  ["PSP_PI by name, PSP_AI by identifier", "role_name_mismatch", withRoles(role(3, "PSP_PI"))],
  ["a role name in small letters", "role_name_mismatch", withRoles(role(3, "psp_ai"))],
  ["a role name with a NUL", "role_name_mismatch", withRoles(role(3, "PSP_AI\0"))],
  ["Unspecified by name alone", "role_name_mismatch", withRoles(role(3, "Unspecified"))],
  // organisation (ETSI TS 119 495 5.2.1)
  ["no organisation identifier", "organisation_identifier_missing", { subject: without(oids.identifier) }],
  [
    "two organisation identifiers",
    "organisation_identifier_malformed",
    { subject: [...tppSubject(), attribute(oids.identifier, derUtf8String("PSDCZ-CNB-1"))] },
  ],
  [
    "an identifier of an odd string type",
    "organisation_identifier_malformed",
    {
      subject: [
        ...without(oids.identifier),
        attribute(oids.identifier, derElement(0x16, Buffer.from("PSDCZ-CNB-1"))),
      ],
    },
  ],
  ["an identifier without a number", "organisation_identifier_malformed", identified("PSDCZ-CNB-")],
  ["an identifier without an authority", "organisation_identifier_malformed", identified("PSDCZ-63492555")],
  ["an identifier in small letters", "organisation_identifier_malformed", identified("psdcz-cnb-63492555")],
  [
    "an identifier with a space at its end",
    "organisation_identifier_malformed",
    identified("PSDCZ-CNB-63492555 "),
  ],
  ["an identifier with a NUL", "organisation_identifier_malformed", identified("PSDCZ-CNB-6349\u00002555")],
  [
    "an identifier with an invisible character",
    "organisation_identifier_malformed",
    identified("PSDCZ-CNB-6349\u200b2555"),
  ],
  [
    "an identifier behind a byte order mark",
    "organisation_identifier_malformed",
    identified("\ufeffPSDCZ-CNB-63492555"),
  ],
  [
    "an identifier of 257 characters",
    "organisation_identifier_malformed",
    identified(`PSDCZ-CNB-${"1".repeat(247)}`),
  ],
  ["a VAT number", "organisation_identifier_unsupported", identified("VATCZ-63492555")],
  [
    "a trade register number of a state",
    "organisation_identifier_unsupported",
    identified("NTRUS+DE-63492555"),
  ],
  ["an LEI", "organisation_identifier_unsupported", identified("LEIXG-529900T8BM49AURSDO55")],
  ["a national scheme", "organisation_identifier_unsupported", identified("XX:GR-63492555")],
  ["no organisation name", "organisation_name_missing", { subject: without(oids.organisation) }],
  [
    "two organisation names",
    "organisation_name_missing",
    { subject: [...tppSubject(), attribute(oids.organisation, derUtf8String("Another"))] },
  ],
  ["an organisation name of spaces", "organisation_name_missing", { subject: tppSubject(undefined, "   ") }],
  [
    "an organisation name that nobody sees",
    "organisation_name_missing",
    { subject: tppSubject(undefined, "\u200b \u00ad") },
  ],
  [
    "an organisation name of fillers",
    "organisation_name_missing",
    { subject: tppSubject(undefined, "\u3164\u2800\u{1d159}") },
  ],
  [
    "an organisation name that turns text around",
    "organisation_name_missing",
    { subject: tppSubject(undefined, "Bank\u202e.o.r.s") },
  ],
  [
    "an organisation name with a separator of lines",
    "organisation_name_missing",
    { subject: tppSubject(undefined, "A\u2028B") },
  ],
  [
    "an organisation name with a line break",
    "organisation_name_missing",
    { subject: tppSubject(undefined, "A\nB") },
  ],
  [
    "a BMPString with half a character, which OpenSSL refuses to open",
    "certificate_malformed",
    { subject: [...without(oids.organisation), attribute(oids.organisation, bmpString("\ud83d"))] },
  ],
  ["another authority than nCAId", "authority_mismatch", identified("PSDSK-NBS-63492555")],
  ["another country than nCAId", "authority_mismatch", identified("PSDSK-CNB-63492555")],
  // roles (EBA-Op-2018-7)
  ["PSP_AS alone", "no_tpp_role", withRoles(role(1, "PSP_AS"))],
  ["Unspecified alone", "no_tpp_role", withRoles(role(0, "Unspecified"))],
  ["verification of payee alone", "no_tpp_role", withRoles(role(51, "VOP_RS"))],
];
