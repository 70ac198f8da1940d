import { X509Certificate } from "node:crypto";
import { signCrl } from "../certificates/crl.ts";
import type { IssuedCertificate } from "../certificates/issue-certificate.ts";
import { readOcspRequest } from "../certificates/ocsp-request.ts";
import { type OcspStatus, ocspFailure, signOcspResponse } from "../certificates/ocsp-response.ts";
import type { RevokedCertificate } from "./revoked-certificates.ts";

/** What the answers about one authority are made from. */
export type RevocationState = {
  readonly issuer: IssuedCertificate;
  readonly revoked: readonly RevokedCertificate[];
  readonly now: Date;
};

const OCSP_MILLISECONDS = 60_000;
const CRL_MILLISECONDS = 600_000;

/** Answers an OCSP request in the name of the authority; whatever it has not revoked is good. */
export function answerOcsp(request: Buffer, { issuer, revoked, now }: RevocationState): Buffer {
  const asked = readOrUndefined(request);
  if (asked === undefined) return ocspFailure("malformedRequest");
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

/** The CRL of the authority at this moment; its number grows with the time. */
export function presentCrl({ issuer, revoked, now }: RevocationState): Buffer {
  return signCrl(issuer, {
    number: Math.floor(now.getTime() / 1000),
    thisUpdate: now,
    nextUpdate: new Date(now.getTime() + CRL_MILLISECONDS),
    revoked,
  });
}

/** A serial number as it is written here: hexadecimal, upper case, whole octets, no leading zero octet. */
export function serialNumberOf(certificatePem: string): string {
  return canonicalSerial(new X509Certificate(certificatePem).serialNumber);
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
