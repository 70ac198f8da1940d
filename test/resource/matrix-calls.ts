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
import { ACCOUNTS, HOST } from "./resource-calls.ts";
import type { RunningResource } from "./running-resource.ts";

/** Settings of a resource server that make every row of the matrix distinguishable. */
export const ASKING = { REVOCATION: "required", REVOCATION_PRIVATE_ADDRESSES: "allowed" };

/** Somebody else's token, about which no refused certificate may learn anything. */
const FOREIGN_TOKEN = "token-of-somebody".padEnd(40, "x");

/** Matches texts that would reveal how a certificate was judged. */
const TELLTALE = /0\.4\.0|OpenSSL|UNABLE|CERT_|localhost|\/(src|packages)\/| at .+:\d+/;

/** Lets a client present what no client should have: OpenSSL allows weak keys and hashes only at this level. */
const CIPHERS = "DEFAULT@SECLEVEL=0";

/** Presents the matrix's certificates to the port of the resource server, or of a proxy in front of it. */
export interface MatrixCalls {
  /** Calls with a token that belongs to somebody else; rejects if there is no connection. */
  call(name: string): Promise<RawAnswer>;
  expectRefused(name: string, code: CertificateRefusalCode): Promise<void>;
  expectAccepted(name: string): Promise<void>;
}

/** Calls with certificates as TLS clients; `port` is evaluated at each call. */
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

/** Whether this Node's OpenSSL can read the certificate: newer versions parse more of it themselves. Throws any other error. */
function canBePresented({ issued: { chainPem: cert } }: CarriedOut): boolean {
  try {
    createSecureContext({ cert, ciphers: CIPHERS });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && /^ERR_OSSL_ASN1_/.test(String(error.code))) return false;
    throw error;
  }
}

/** Expects the standard's answer with the sentence for the TPP, and that the last log line belongs to it. */
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
