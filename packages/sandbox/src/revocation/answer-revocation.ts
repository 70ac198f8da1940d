import { X509Certificate } from "node:crypto";
import { digestOf, readCertificateNames } from "../certificates/certificate-names.ts";
import { type RevokedEntry, signCrl } from "../certificates/crl.ts";
import type { IssuedCertificate } from "../certificates/issue-certificate.ts";
import { type AskedCertificate, readOcspRequest } from "../certificates/ocsp-request.ts";
import { type OcspStatus, ocspFailure, signOcspResponse } from "../certificates/ocsp-response.ts";
import type { AnsweringAuthorities } from "./answering-authorities.ts";
import type { RevokedCertificate } from "./revoked-certificates.ts";

/** What answers are made from. */
export type RevocationState = {
  readonly authorities: AnsweringAuthorities;
  readonly revoked: readonly RevokedCertificate[];
  readonly now: Date;
};

const OCSP_MILLISECONDS = 60_000;
const CRL_MILLISECONDS = 600_000;

/**
 * Answers an OCSP request in the name of the authority that it is about; every certificate that it has not revoked is good.
 */
export function answerOcsp(request: Buffer, { authorities, revoked, now }: RevocationState): Buffer {
  const asked = readOrUndefined(request);
  if (asked === undefined) return ocspFailure("malformedRequest");
  const issuer = [...authorities.values()].find((authority) => asked.certIds.every(isIssuedBy(authority)));
  if (issuer === undefined) return ocspFailure("unauthorized");
  return signOcspResponse(issuer, {
    producedAt: now,
    ...(asked.nonce && { nonce: asked.nonce }),
    answers: asked.certIds.map(({ encoded, serialNumber }) => ({
      subject: encoded,
      status: statusOf(serialNumber, revoked),
      thisUpdate: now,
      nextUpdate: new Date(now.getTime() + OCSP_MILLISECONDS),
    })),
  });
}

/** The CRL of an authority at this moment; undefined if there is no authority of this name. Its number grows with time. */
export function presentCrl(name: string, { authorities, revoked, now }: RevocationState): Buffer | undefined {
  const issuer = authorities.get(name);
  if (issuer === undefined) return undefined;
  return signCrl(issuer, {
    number: Math.floor(now.getTime() / 1000),
    thisUpdate: now,
    nextUpdate: new Date(now.getTime() + CRL_MILLISECONDS),
    revoked: revoked.map(entryOf),
  });
}

/** Leaves out the unspecified reason, as RFC 5280 5.3.1 asks. */
function entryOf({ reason, ...entry }: RevokedCertificate): RevokedEntry {
  return reason === "unspecified" ? entry : { ...entry, reason };
}

/** A serial number in the form used here: hexadecimal, upper case, whole octets, no leading zero octet. */
export function serialNumberOf(certificatePem: string): string {
  return canonicalSerial(new X509Certificate(certificatePem).serialNumber);
}

/** Whether a CertID is of this issuer: RFC 6960 4.1.1 names the issuer by the hash of its key, among others. */
function isIssuedBy({ certificatePem }: IssuedCertificate): (certId: AskedCertificate) => boolean {
  const { publicKey } = readCertificateNames(certificatePem);
  const hashes = [digestOf("sha1", publicKey), digestOf("sha256", publicKey)];
  return ({ issuerKeyHash }) => hashes.some((hash) => hash.equals(issuerKeyHash));
}

function statusOf(serialNumber: string, revoked: readonly RevokedCertificate[]): OcspStatus {
  const asked = canonicalSerial(serialNumber);
  const found = revoked.find((each) => canonicalSerial(each.serialNumber) === asked);
  return found === undefined ? "good" : { revokedAt: found.revokedAt, reason: found.reason };
}

function canonicalSerial(hexadecimal: string): string {
  const digits = hexadecimal.toUpperCase();
  const whole = digits.length % 2 === 0 ? digits : `0${digits}`;
  return whole.replace(/^(?:00)+(?=..)/, "");
}

function readOrUndefined(request: Buffer) {
  try {
    return readOcspRequest(request);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
