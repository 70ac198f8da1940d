import {
  basicConstraints,
  extendedKeyUsage,
  extensionOids,
  keyUsage,
  permittedDnsNames,
} from "../certificate-extension.ts";
import { type CertificateOrder, orderOfAuthority, under, withOwnSerial } from "../certificate-order.ts";
import { derElement, derSmallInteger } from "../der.ts";
import { asItIs, belowAuthority, extended, flipLastOctet, minutesFrom, without } from "./changes.ts";
import { type Change, type Defect, refusedWith } from "./defect.ts";

const path = "RFC 5280 6.1";

/** Table: defects between the certificate and the trust anchors. */
export const chainDefects: readonly Defect[] = [
  ...refusedWith("chain_untrusted", [
    [
      "impostor-issuer",
      "Its issuer has the name of the trusted authority, but another key.",
      path,
      () => ({ issuer: { kind: "unknown" } }),
    ],
    ["self-signed", "It is signed with its own key.", path, () => ({ issuer: { kind: "itself" } })],
    [
      "signature-broken",
      "The last octet of its signature is wrong.",
      "RFC 5280 6.1.3 (a)(1)",
      () => ({ afterSigning: flipLastOctet }),
    ],
    [
      "contents-altered",
      "A letter of its subject was changed after it was signed.",
      "RFC 5280 6.1.3 (a)(1)",
      () => ({ afterSigning: flipInSubject }),
    ],
    [
      "stranger-issuer",
      "Its issuer is an unknown authority.",
      path,
      belowAuthority(() => ({ issuer: { kind: "itself" } })),
    ],
    [
      "issuer-under-impostor",
      "The authority above its issuer is the impostor.",
      path,
      belowAuthority(() => ({ issuer: { kind: "unknown" } })),
    ],
    [
      "issuer-not-sent",
      "Its issuer is a trusted intermediate authority that was not sent along.",
      "RFC 8446 4.4.2",
      belowAuthority(asItIs, { presented: false }),
    ],
    [
      "issuer-signature-broken",
      "The signature of its issuer's certificate is broken.",
      "RFC 5280 6.1.3 (a)(1)",
      belowAuthority(() => ({ afterSigning: flipLastOctet })),
    ],
    [
      "issued-by-a-tpp",
      "Its issuer is a TPP with a valid certificate of its own.",
      "RFC 5280 4.2.1.9",
      belowTpp,
    ],
    [
      "issuer-not-authority",
      "Its issuer says that it is not an authority.",
      "RFC 5280 4.2.1.9",
      belowAuthority(extended(basicConstraints(false))),
    ],
    [
      "issuer-without-constraints",
      "Its issuer has no basic constraints.",
      "RFC 5280 4.2.1.9",
      belowAuthority(without(extensionOids.basicConstraints)),
    ],
    [
      "issuer-version-1",
      "Its issuer has a certificate of version 1.",
      "RFC 5280 6.1.4 (k)",
      belowAuthority(() => ({ version: derElement(0xa0, derSmallInteger(0)) })),
    ],
    [
      "issuer-without-key-cert-sign",
      "Its issuer may sign CRLs and no certificates.",
      "RFC 5280 4.2.1.3",
      belowAuthority(extended(keyUsage("cRLSign"))),
    ],
    [
      "issuer-expired",
      "The certificate of its issuer has expired.",
      "RFC 5280 6.1.3 (a)(2)",
      belowAuthority((authority) => ({ notAfter: minutesFrom(authority, -1440) })),
    ],
    [
      "issuer-not-yet-valid",
      "The validity of its issuer has not begun.",
      "RFC 5280 6.1.3 (a)(2)",
      belowAuthority((authority) => ({ notBefore: minutesFrom(authority, 1440) })),
    ],
    [
      "issuer-for-servers",
      "Its issuer is limited to certificates of servers.",
      "RFC 5280 4.2.1.12",
      belowAuthority(extended(extendedKeyUsage("serverAuth"))),
    ],
    [
      "issuer-name-constrained",
      "Its issuer has name constraints, which are not processed here.",
      "RFC 5280 4.2.1.10",
      belowAuthority(extended(permittedDnsNames("tpp.example"))),
    ],
    [
      "issuer-unknown-critical-extension",
      "Its issuer has an unknown critical extension.",
      "RFC 5280 6.1.4 (o)",
      belowAuthority(extended({ oid: "1.2.3.4", critical: true, value: derSmallInteger(1) })),
    ],
    [
      "issuer-signed-with-sha1",
      "The certificate of its issuer is signed over SHA-1.",
      "ETSI TS 119 312",
      belowAuthority(() => ({ signedWith: "ecdsa-sha1" })),
    ],
    [
      "issuer-rsa-1024",
      "The key of its issuer is RSA of 1024 bits.",
      "ETSI TS 119 312",
      belowAuthority(() => ({ keyType: "RSA-1024" })),
    ],
    ["path-too-long", "An authority that may have none below it has one.", "RFC 5280 4.2.1.9", pathTooLong],
  ]),
  ...refusedWith("signature_weak", [
    ["signed-with-rsa-sha1", "Its signature is RSA over SHA-1.", "ETSI TS 119 312", signedByRsa("rsa-sha1")],
    ["signed-with-rsa-md5", "Its signature is RSA over MD5.", "ETSI TS 119 312", signedByRsa("rsa-md5")],
    [
      "signed-with-pss-sha1",
      "Its signature is RSASSA-PSS over SHA-1.",
      "ETSI TS 119 312",
      signedByRsa("pss-sha1"),
    ],
  ]),
];

/** Alters the host in the common name, which is ASCII. */
function flipInSubject(der: Buffer): Buffer {
  const altered = Buffer.from(der);
  altered.write("X", altered.indexOf(".tpp.example") - 1, "latin1");
  return altered;
}

function belowTpp(right: CertificateOrder): Partial<CertificateOrder> {
  return under(right, withOwnSerial({ ...right, name: `${right.name}.issuer` }));
}

function pathTooLong(right: CertificateOrder): Partial<CertificateOrder> {
  const upper = orderOfAuthority(`${right.name}.upper`, right);
  const limited = { ...upper, ...extended(basicConstraints(true, 0))(upper) };
  const lower = orderOfAuthority(`${right.name}.issuer`, right);
  return under(right, { ...lower, ...under(lower, limited) });
}

/** Puts a valid authority with an RSA key above; only the way it signs is wrong. */
function signedByRsa(signedWith: NonNullable<CertificateOrder["signedWith"]>): Change {
  return (right) => ({ ...belowAuthority(() => ({ keyType: "RSA-2048" }))(right), signedWith });
}
