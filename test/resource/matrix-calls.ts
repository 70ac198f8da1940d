import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import {
  CertificateRefusal,
  type CertificateRefusalCode,
  createCertificateVerifier,
  describeForTpp,
  type PresentedCertificate,
  parseTrustAnchors,
} from "@cobs/psd2-certificates";
import { expect } from "chai";
import type { CarriedOut } from "../../packages/sandbox/src/certificates/carry-out-order.ts";
import { type CertificateMatrix, presentedOf } from "../support/certificate-matrix.ts";
import { onceLogged } from "../support/once-logged.ts";
import { type RawAnswer, send } from "../support/raw-https.ts";
import { ACCOUNTS, HOST, type RunningResource } from "./running-resource.ts";

/** What a resource server is run with so that every row of the matrix can be told apart. */
export const ASKING = { REVOCATION: "required", REVOCATION_PRIVATE_ADDRESSES: "allowed" };

/** A token of somebody, which no refused certificate may learn anything about. */
const FOREIGN_TOKEN = "token-of-somebody".padEnd(40, "x");

/** Nothing in an answer may tell how a certificate was judged. */
const TELLTALE = /0\.4\.0|OpenSSL|UNABLE|CERT_|localhost|\/(src|packages)\/| at .+:\d+/;

/** A client can present what no client should have: OpenSSL lets weak keys and hashes go at this level only. */
const CIPHERS = "DEFAULT@SECLEVEL=0";

/** Presents the certificates of the matrix to a port, which is that of the resource server or of a proxy before it. */
export interface MatrixCalls {
  /** With a token that belongs to somebody else; rejects when there is no connection. */
  call(name: string): Promise<RawAnswer>;
  expectRefused(name: string, code: CertificateRefusalCode): Promise<void>;
  expectAccepted(name: string): Promise<void>;
}

/** Calls with certificates as TLS clients; `port` is asked at each call. */
export function matrixCalls(
  resource: RunningResource,
  certificates: CertificateMatrix,
  port: number,
): MatrixCalls {
  const call = (name: string, token: string) => {
    const { chainPem: cert, privateKeyPem: key } = certificates.certificate(name).issued;
    const ca = readFileSync(resource.certificates.caFile);
    const headers = { host: HOST, authorization: `Bearer ${token}` };
    const options = { port, method: "GET", path: ACCOUNTS, ca, cert, key, ciphers: CIPHERS, headers };
    return onceLogged(send(options), resource.logLines);
  };
  return {
    call: (name) => call(name, FOREIGN_TOKEN),
    expectRefused: async (name, code) => {
      const certificate = certificates.certificate(name);
      if (canBePresented(certificate)) expectRefusal(resource, await call(name, FOREIGN_TOKEN), code);
      else
        expect(() => identify(resource, presentedOf(certificate)))
          .to.throw(CertificateRefusal)
          .with.property("code", code);
    },
    expectAccepted: async (name) => {
      const answer = await call(name, tokenOf(resource, certificates.certificate(name)));
      expect(answer.status, JSON.stringify(resource.lastCall())).to.equal(200);
    },
  };
}

/**
 * Whether the OpenSSL of this Node can read the certificate: newer ones read more of it themselves. Any other
 * failure is thrown.
 */
function canBePresented({ issued: { chainPem: cert } }: CarriedOut): boolean {
  try {
    createSecureContext({ cert, ciphers: CIPHERS });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && /^ERR_OSSL_ASN1_/.test(String(error.code))) return false;
    throw error;
  }
}

/** The answer of the standard with the sentence for the TPP, whose line is the last one of the log. */
export function expectRefusal(
  resource: RunningResource,
  answer: RawAnswer,
  code: CertificateRefusalCode,
): void {
  expect(resource.lastCall()).to.include({ status: 401, refusal: code });
  expect(answer.status).to.equal(401);
  expect(answer.body).not.to.match(TELLTALE);
  const [error, ...others] = JSON.parse(answer.body).errors;
  expect(others).to.deep.equal([]);
  expect(error).to.include({ error: "UNAUTHORISED", message: describeForTpp(code) });
}

function tokenOf(resource: RunningResource, certificate: CarriedOut): string {
  const { organisationIdentifier } = identify(resource, presentedOf(certificate));
  return resource.giveToken("aisp-pisp", {
    cnf: { "x5t#S256": certificate.issued.thumbprint },
    organisation_identifier: organisationIdentifier,
  });
}

function identify({ certificates }: RunningResource, presented: PresentedCertificate) {
  const anchors = parseTrustAnchors(readFileSync(certificates.anchorsFile, "utf8"));
  return createCertificateVerifier({ anchors }).verify(presented, new Date());
}
