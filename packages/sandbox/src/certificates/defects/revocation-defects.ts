import {
  authorityInformationAccess,
  crlDistributionPoints,
  extensionOids,
} from "../certificate-extension.ts";
import { derElement, derOid, derSequence } from "../der.ts";
import { belowAuthority, extended, without } from "./changes.ts";
import { type Defect, refusedWith } from "./defect.ts";

const { authorityInformationAccess: access, crlDistributionPoints: points } = extensionOids;
const sources = "ETSI EN 319 412-2 4.4.1, 4.3.11";
const caIssuers = derSequence(
  derSequence(derOid("1.3.6.1.5.5.7.48.2"), derElement(0x86, Buffer.from("http://localhost/issuing.crt"))),
);

/** Table: defects that only show when revocation is checked; the certificates themselves are otherwise valid. */
export const revocationDefects: readonly Defect[] = [
  ...refusedWith("revocation_source_missing", [
    [
      "no-revocation-source",
      "It names neither an OCSP responder nor a CRL.",
      sources,
      without(access, points),
    ],
    [
      "revocation-by-ldap-only",
      "It names a CRL in an LDAP directory, and nothing else.",
      sources,
      (right) =>
        extended(crlDistributionPoints("ldap://localhost/cn=crl"))({
          ...right,
          ...without(access, points)(right),
        }),
    ],
    [
      "issuer-address-only",
      "It says where its issuer's certificate is, but not where to check revocation.",
      sources,
      (right) =>
        extended({ oid: access, critical: false, value: caIssuers })({
          ...right,
          ...without(access, points)(right),
        }),
    ],
    [
      "issuer-without-revocation-source",
      "The intermediate authority that issued it names no source of revocation.",
      sources,
      belowAuthority(without(access, points)),
    ],
  ]),
  ...refusedWith("certificate_revoked", [
    ["revoked", "Its issuer has revoked it.", "RFC 6960 2.2", () => ({ revoked: "cessationOfOperation" })],
    [
      "revoked-key-compromise",
      "Its issuer has revoked it because somebody else has its key.",
      "RFC 5280 5.3.1",
      () => ({ revoked: "keyCompromise" }),
    ],
    [
      "revoked-on-hold",
      "Its issuer has put it on hold.",
      "RFC 5280 5.3.1",
      () => ({ revoked: "certificateHold" }),
    ],
    [
      "revoked-by-ocsp-alone",
      "It is revoked, and names an OCSP responder only.",
      "RFC 6960 2.2",
      (right) => ({ ...without(points)(right), revoked: "superseded" }),
    ],
    [
      "revoked-by-crl-alone",
      "It is revoked, and names a CRL only.",
      "RFC 5280 6.3.3",
      (right) => ({ ...without(access)(right), revoked: "superseded" }),
    ],
    [
      "revoked-and-responder-silent",
      "It is revoked, and of its two sources the OCSP responder does not answer.",
      "RFC 5280 6.3.3",
      (right) => ({
        ...extended(authorityInformationAccess("http://localhost:1/ocsp"))(right),
        revoked: "superseded",
      }),
    ],
    [
      "issuer-revoked",
      "The intermediate authority that issued it was revoked.",
      "RFC 5280 6.1.3 (a)(3)",
      belowAuthority(() => ({ revoked: "cACompromise" })),
    ],
  ]),
];
