import { authorityKeyIdentifier, type CertificateExtension } from "./certificate-extension.ts";
import { keyIdentifier } from "./certificate-key.ts";
import { encodeExtension } from "./certificate-plan.ts";
import {
  derElement,
  derEnumerated,
  derPositiveInteger,
  derSequence,
  derSmallInteger,
  derTime,
} from "./der.ts";
import type { IssuedCertificate } from "./issue-certificate.ts";
import { signerOf } from "./sign-certificate.ts";
import { signatureAlgorithms, signatureBits, usualAlgorithm } from "./signature-algorithms.ts";

/** Reasons of a revocation (RFC 5280 5.3.1). */
export const revocationReasons = [
  "unspecified",
  "keyCompromise",
  "cACompromise",
  "affiliationChanged",
  "superseded",
  "cessationOfOperation",
  "certificateHold",
  "privilegeWithdrawn",
] as const;

/** One of those reasons. */
export type RevocationReason = (typeof revocationReasons)[number];

/** The CRLReason of each reason. */
export const crlReasons: Readonly<Record<RevocationReason, number>> = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  privilegeWithdrawn: 9,
};

/** A certificate on a CRL. */
export type RevokedEntry = {
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly revokedAt: Date;
  readonly reason?: RevocationReason;
  readonly extensions?: readonly CertificateExtension[];
};

/** Content of a CRL, right or wrong. */
export type CrlDescription = {
  readonly number: number;
  readonly thisUpdate: Date;
  /** Undefined leaves it out, which RFC 5280 5.1.2.5 forbids. */
  readonly nextUpdate: Date | undefined;
  readonly revoked: readonly RevokedEntry[];
  /** Extensions besides CRL number and authority key identifier. */
  readonly extensions?: readonly CertificateExtension[];
  readonly signatureHash?: "sha1";
};

/** The issuer of a CRL. */
export type CrlIssuer = Pick<IssuedCertificate, "certificatePem" | "privateKeyPem">;

/** Signs a CRL of version 2 (RFC 5280 5.1); DER. */
export function signCrl(issuer: CrlIssuer, description: CrlDescription): Buffer {
  const { name, key } = signerOf(issuer);
  const algorithm = signatureAlgorithms[usualAlgorithm(key, description.signatureHash)];
  const { nextUpdate, revoked } = description;
  const signed = derSequence(
    derSmallInteger(1),
    algorithm.identifier,
    name,
    derTime(description.thisUpdate),
    ...(nextUpdate === undefined ? [] : [derTime(nextUpdate)]),
    ...(revoked.length === 0 ? [] : [derSequence(...revoked.map(entry))]),
    derElement(0xa0, derSequence(...crlExtensions(issuer, description).map(encodeExtension))),
  );
  return Buffer.from(derSequence(signed, algorithm.identifier, signatureBits(signed, key, algorithm)));
}

function entry({ serialNumber, revokedAt, reason, extensions = [] }: RevokedEntry): Uint8Array {
  const reasonCode: readonly CertificateExtension[] =
    reason === undefined
      ? []
      : [{ oid: "2.5.29.21", critical: false, value: derEnumerated(crlReasons[reason]) }];
  const all = [...reasonCode, ...extensions].map(encodeExtension);
  return derSequence(
    derPositiveInteger(
      Buffer.from(serialNumber.padStart(serialNumber.length + (serialNumber.length % 2), "0"), "hex"),
    ),
    derTime(revokedAt),
    ...(all.length === 0 ? [] : [derSequence(...all)]),
  );
}

function crlExtensions(
  issuer: CrlIssuer,
  { number, extensions = [] }: CrlDescription,
): readonly CertificateExtension[] {
  const octets = Buffer.alloc(6);
  octets.writeUIntBE(number, 0, 6);
  return [
    authorityKeyIdentifier(keyIdentifier(issuer.certificatePem)),
    { oid: "2.5.29.20", critical: false, value: derPositiveInteger(octets) },
    ...extensions,
  ];
}
