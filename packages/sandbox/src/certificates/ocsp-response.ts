import { X509Certificate } from "node:crypto";
import type { CertificateExtension } from "./certificate-extension.ts";
import { digestOf, readCertificateNames } from "./certificate-names.ts";
import { encodeExtension } from "./certificate-plan.ts";
import { crlReasons, type RevocationReason } from "./crl.ts";
import {
  derElement,
  derEnumerated,
  derGeneralizedTime,
  derOctetString,
  derOid,
  derPositiveInteger,
  derSequence,
} from "./der.ts";
import { signerOf } from "./sign-certificate.ts";
import { signatureAlgorithms, signatureBits, usualAlgorithm } from "./signature-algorithms.ts";

/** Status of one certificate (RFC 6960 4.2.1). */
export type OcspStatus =
  | "good"
  | "unknown"
  | { readonly revokedAt: Date; readonly reason?: RevocationReason };

/** Names a certificate by its issuer and serial number (RFC 6960 4.1.1 CertID). */
export type OcspSubject = {
  /** PEM of the authority whose name and key are hashed. */
  readonly issuerPem: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  /** Defaults to SHA-1, which responders know. */
  readonly hash?: "sha1" | "sha256";
};

/** One answer of a response. */
export type OcspSingleAnswer = {
  /** A buffer is the DER of a CertID from a request, which is repeated. */
  readonly subject: OcspSubject | Buffer;
  readonly status: OcspStatus;
  readonly thisUpdate: Date;
  readonly nextUpdate?: Date;
  readonly extensions?: readonly CertificateExtension[];
};

/** Content of a response, right or wrong. */
export type OcspDescription = {
  readonly producedAt: Date;
  readonly answers: readonly OcspSingleAnswer[];
  /** Contents of the nonce's OCTET STRING (RFC 9654 2.1). */
  readonly nonce?: Uint8Array;
  /** Extensions besides the nonce. */
  readonly extensions?: readonly CertificateExtension[];
  /** PEM of certificates to include, e.g. that of a delegated responder. */
  readonly certificates?: readonly string[];
  /** How the responder is named; by default by the hash of its key. */
  readonly responderId?: "key" | "name";
  readonly signatureHash?: "sha1";
};

/** The signer: the authority itself, or a responder it delegated to. */
export type OcspResponder = { readonly certificatePem: string; readonly privateKeyPem: string };

const basicResponse = "1.3.6.1.5.5.7.48.1.1";
const nonceExtension = "1.3.6.1.5.5.7.48.1.2";
const hashes = { sha1: "1.3.14.3.2.26", sha256: "2.16.840.1.101.3.4.2.1" } as const;

/** Unsigned error answers of a responder (RFC 6960 4.2.1 OCSPResponseStatus). */
const ocspFailures = {
  malformedRequest: 1,
  internalError: 2,
  tryLater: 3,
  sigRequired: 5,
  unauthorized: 6,
} as const;

/** An error response, in DER. */
export function ocspFailure(failure: keyof typeof ocspFailures): Buffer {
  return Buffer.from(derSequence(derEnumerated(ocspFailures[failure])));
}

/** Signs an OCSP response (RFC 6960 4.2.1); DER. */
export function signOcspResponse(responder: OcspResponder, description: OcspDescription): Buffer {
  const { nonce, certificates = [] } = description;
  const { key } = signerOf(responder);
  const algorithm = signatureAlgorithms[usualAlgorithm(key, description.signatureHash)];
  const all = [
    ...(nonce === undefined ? [] : [nonceOf(nonce)]),
    ...(description.extensions ?? []).map(encodeExtension),
  ];
  const signed = derSequence(
    responderIdOf(responder, description.responderId ?? "key"),
    derGeneralizedTime(description.producedAt),
    derSequence(...description.answers.map(singleResponse)),
    ...wrappedExtensions(all),
  );
  const chain = certificates.map((pem) => new X509Certificate(pem).raw);
  const basic = derSequence(
    signed,
    algorithm.identifier,
    signatureBits(signed, key, algorithm),
    ...(chain.length === 0 ? [] : [derElement(0xa0, derSequence(...chain))]),
  );
  const bytes = derSequence(derOid(basicResponse), derOctetString(basic));
  return Buffer.from(derSequence(derEnumerated(0), derElement(0xa0, bytes)));
}

/** The DER of a CertID. */
export function certId({ issuerPem, serialNumber, hash = "sha1" }: OcspSubject): Buffer {
  const { subject, publicKey } = readCertificateNames(issuerPem);
  return Buffer.from(
    derSequence(
      derSequence(derOid(hashes[hash]), derElement(0x05)),
      derOctetString(digestOf(hash, subject)),
      derOctetString(digestOf(hash, publicKey)),
      derPositiveInteger(Buffer.from(serialNumber, "hex")),
    ),
  );
}

function responderIdOf({ certificatePem }: OcspResponder, by: "key" | "name"): Uint8Array {
  const { subject, publicKey } = readCertificateNames(certificatePem);
  return by === "name"
    ? derElement(0xa1, subject)
    : derElement(0xa2, derOctetString(digestOf("sha1", publicKey)));
}

function singleResponse(answer: OcspSingleAnswer): Uint8Array {
  const { subject, status, thisUpdate, nextUpdate, extensions = [] } = answer;
  return derSequence(
    Buffer.isBuffer(subject) ? subject : certId(subject),
    statusOf(status),
    derGeneralizedTime(thisUpdate),
    ...(nextUpdate === undefined ? [] : [derElement(0xa0, derGeneralizedTime(nextUpdate))]),
    ...wrappedExtensions(extensions.map(encodeExtension)),
  );
}

function wrappedExtensions(encoded: readonly Uint8Array[]): readonly Uint8Array[] {
  return encoded.length === 0 ? [] : [derElement(0xa1, derSequence(...encoded))];
}

function statusOf(status: OcspStatus): Uint8Array {
  if (status === "good") return derElement(0x80);
  if (status === "unknown") return derElement(0x82);
  const { revokedAt, reason } = status;
  const why = reason === undefined ? [] : [derElement(0xa0, derEnumerated(crlReasons[reason]))];
  return derElement(0xa1, derGeneralizedTime(revokedAt), ...why);
}

function nonceOf(nonce: Uint8Array): Uint8Array {
  return derSequence(derOid(nonceExtension), derOctetString(derOctetString(nonce)));
}
