import {
  basicConstraints,
  extendedKeyUsage,
  extensionOids,
  keyUsage,
  permittedDnsNames,
} from "../certificate-extension.ts";
import { derElement, derOid, derSequence, derSmallInteger } from "../der.ts";
import { derBmpString, derGeneralizedTimeText, derUtcTimeText } from "../der-strings.ts";
import { signatureAlgorithms } from "../signature-algorithms.ts";
import { subjectOids } from "../subject-attribute.ts";
import { attributed, critical, extended, minutesFrom, without } from "./changes.ts";
import { type Defect, refusedBehindProxy, refusedWith } from "./defect.ts";

const integer = (...octets: readonly number[]) => derElement(0x02, Buffer.from(octets));
const anyPurpose = "2.5.29.37.0";

/** Table: defects of the certificate as X.509, whoever holds it. */
export const formDefects: readonly Defect[] = [
  ...refusedWith("certificate_malformed", [
    [
      "version-1",
      "It has extensions, and says that it is of version 1.",
      "RFC 5280 4.1.2.1",
      () => ({ version: derElement(0xa0, derSmallInteger(0)) }),
    ],
    [
      "version-missing",
      "It has extensions, and no version, which means version 1.",
      "RFC 5280 4.1.2.1",
      () => ({ version: Buffer.alloc(0) }),
    ],
    [
      "extension-twice",
      "It has two key usages.",
      "RFC 5280 4.2",
      (right) => ({ extensions: [...right.extensions, keyUsage("digitalSignature")] }),
    ],
    [
      "serial-negative",
      "Its serial number is negative.",
      "RFC 5280 4.1.2.2",
      () => ({ serial: integer(0x80, 0x01) }),
    ],
    ["serial-zero", "Its serial number is zero.", "RFC 5280 4.1.2.2", () => ({ serial: integer(0x00) })],
    [
      "serial-too-long",
      "Its serial number has 21 octets.",
      "RFC 5280 4.1.2.2",
      () => ({ serial: integer(...Buffer.alloc(21, 0x11)) }),
    ],
    [
      "outer-algorithm-differs",
      "The signature algorithm outside the signed part differs from the one inside.",
      "RFC 5280 4.1.1.2",
      () => ({ outerAlgorithm: signatureAlgorithms["rsa-sha256"].identifier }),
    ],
    [
      "time-without-seconds",
      "Its end is a time without seconds.",
      "RFC 5280 4.1.2.5.1",
      () => ({ notAfter: derUtcTimeText("4901010000Z") }),
    ],
    [
      "time-with-offset",
      "Its end is a time in a zone other than UTC (Z).",
      "RFC 5280 4.1.2.5.1",
      () => ({ notAfter: derUtcTimeText("490101000000+0100") }),
    ],
    [
      "time-with-fraction",
      "Its end is a time with a fraction of a second.",
      "RFC 5280 4.1.2.5.2",
      () => ({ notAfter: derGeneralizedTimeText("20490101000000.5Z") }),
    ],
    [
      "time-that-does-not-exist",
      "Its end is the 30th of February.",
      "RFC 5280 4.1.2.5",
      () => ({ notAfter: derUtcTimeText("490230000000Z") }),
    ],
    [
      "key-usage-no-bit-string",
      "Its key usage is a number.",
      "RFC 5280 4.2.1.3",
      extended({ oid: extensionOids.keyUsage, critical: true, value: derSmallInteger(1) }),
    ],
    [
      "purposes-empty",
      "Its extended key usage is an empty list.",
      "RFC 5280 4.2.1.12",
      extended(extendedKeyUsage()),
    ],
    [
      "extension-flag-loose",
      "A boolean in it is TRUE as 01, not as FF.",
      "X.690 11.1",
      extended({
        oid: extensionOids.basicConstraints,
        critical: true,
        value: derSequence(derElement(0x01, Buffer.from([0x01]))),
      }),
    ],
  ]),
  ...refusedBehindProxy("certificate_malformed", [
    [
      "serial-padded",
      "Its serial number begins with a needless zero octet.",
      "X.690 8.3.2",
      () => ({ serial: integer(0x00, 0x01) }),
    ],
    [
      "octets-after",
      "An octet follows the certificate.",
      "X.690 10.1",
      () => ({ afterSigning: (der) => Buffer.concat([der, Buffer.alloc(1)]) }),
    ],
    [
      "octets-missing",
      "Its last octet is missing.",
      "X.690 8.1.3",
      () => ({ afterSigning: (der) => der.subarray(0, -1) }),
    ],
    [
      "indefinite-length",
      "Its outermost length is indefinite.",
      "X.690 10.1",
      () => ({ afterSigning: indefiniteLength }),
    ],
    [
      "half-a-character",
      "Its organisation name is a BMPString with half of a character.",
      "X.690 8.23.9",
      attributed(subjectOids.organizationName, derBmpString("\ud83d")),
    ],
  ]),
  ...refusedWith("certificate_not_yet_valid", [
    [
      "not-yet-valid",
      "Its validity begins in a year.",
      "RFC 5280 4.1.2.5",
      (right) => ({ notBefore: minutesFrom(right, 365 * 1440) }),
    ],
    [
      "valid-from-tomorrow",
      "Its validity begins tomorrow.",
      "RFC 5280 4.1.2.5",
      (right) => ({ notBefore: minutesFrom(right, 1440) }),
    ],
  ]),
  ...refusedWith("certificate_expired", [
    [
      "expired",
      "Its validity ended yesterday.",
      "RFC 5280 4.1.2.5",
      (right) => ({ notBefore: minutesFrom(right, -365 * 1440), notAfter: minutesFrom(right, -1440) }),
    ],
    [
      "expired-a-minute-ago",
      "Its validity ended a minute ago.",
      "RFC 5280 4.1.2.5",
      (right) => ({ notAfter: minutesFrom(right, -1) }),
    ],
    [
      "validity-reversed",
      "Its validity ends before it begins.",
      "RFC 5280 4.1.2.5",
      (right) => ({ notAfter: minutesFrom(right, -2 * 1440) }),
    ],
  ]),
  ...refusedWith("signature_weak", [
    [
      "signed-with-sha1",
      "Its signature is ECDSA over SHA-1.",
      "ETSI TS 119 312",
      () => ({ signedWith: "ecdsa-sha1" }),
    ],
    [
      "signed-with-sha224",
      "Its signature is ECDSA over SHA-224.",
      "ETSI TS 119 312",
      () => ({ signedWith: "ecdsa-sha224" }),
    ],
  ]),
  ...refusedWith("key_weak", [
    ["key-rsa-1024", "Its key is RSA of 1024 bits.", "ETSI TS 119 312", () => ({ keyType: "RSA-1024" })],
    ["key-rsa-1536", "Its key is RSA of 1536 bits.", "ETSI TS 119 312", () => ({ keyType: "RSA-1536" })],
  ]),
  ...refusedBehindProxy("key_weak", [
    [
      "key-secp256k1",
      "Its key is on the curve secp256k1.",
      "ETSI TS 119 312",
      () => ({ keyType: "secp256k1" }),
    ],
    ["key-p224", "Its key is on the curve P-224.", "ETSI TS 119 312", () => ({ keyType: "P-224" })],
  ]),
  ...refusedWith("extension_unsupported", [
    [
      "unknown-critical-extension",
      "It has an unknown critical extension.",
      "RFC 5280 4.2",
      extended({ oid: "1.2.3.4", critical: true, value: derSmallInteger(1) }),
    ],
    [
      "critical-qc-statements",
      "Its QC statements are critical.",
      "ETSI EN 319 412-5 QCS-4.1-02",
      critical(extensionOids.qcStatements),
    ],
    [
      "critical-revocation-source",
      "The address of its CRL is critical.",
      "RFC 5280 4.2",
      critical(extensionOids.crlDistributionPoints),
    ],
    [
      "name-constraints-in-leaf",
      "It has name constraints, which are for authorities.",
      "RFC 5280 4.2.1.10",
      extended(permittedDnsNames("tpp.example")),
    ],
    [
      "critical-policy-constraints",
      "It has policy constraints, which are for authorities.",
      "RFC 5280 4.2.1.11",
      extended({ oid: "2.5.29.36", critical: true, value: derSequence(derElement(0x80, Buffer.from([0]))) }),
    ],
  ]),
  ...refusedWith("purpose_not_client", [
    [
      "no-client-auth",
      "Its extended key usage names servers only.",
      "RFC 5280 4.2.1.12",
      extended(extendedKeyUsage("serverAuth")),
    ],
    [
      "mail-purpose",
      "Its extended key usage names mail only.",
      "RFC 5280 4.2.1.12",
      extended(extendedKeyUsage("emailProtection")),
    ],
    [
      "any-purpose",
      "Its extended key usage names any purpose instead of this one.",
      "RFC 5280 4.2.1.12",
      extended({
        oid: extensionOids.extendedKeyUsage,
        critical: false,
        value: derSequence(derOid(anyPurpose)),
      }),
    ],
    [
      "no-purposes",
      "It has no extended key usage.",
      "RFC 5280 4.2.1.12",
      without(extensionOids.extendedKeyUsage),
    ],
    [
      "authority-as-client",
      "It is the certificate of an authority.",
      "RFC 5280 4.2.1.9",
      extended(basicConstraints(true)),
    ],
    [
      "no-digital-signature",
      "Its key usage permits encryption only.",
      "RFC 5280 4.2.1.3",
      extended(keyUsage("keyEncipherment")),
    ],
    [
      "key-agreement-only",
      "Its key usage permits key agreement only.",
      "RFC 5280 4.2.1.3",
      extended(keyUsage("keyAgreement")),
    ],
  ]),
];

/** Re-encodes the outermost length as indefinite, ended by two zero octets (BER, not DER). */
function indefiniteLength(der: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x30, 0x80]), der.subarray(4), Buffer.alloc(2)]);
}
