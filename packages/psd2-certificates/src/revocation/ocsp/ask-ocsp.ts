import { randomBytes } from "node:crypto";
import type { PathLink } from "../../path/path-link.ts";
import { requireInTime } from "../answer-times.ts";
import { type RevocationAnswer, revokedAnswer, UnusableAnswer } from "../revocation-answer.ts";
import type { RevocationFetch } from "../revocation-fetch.ts";
import { type CertId, certIdOf, isCertId } from "./cert-id.ts";
import { type OcspResponse, type OcspSingleAnswer, readOcspResponse } from "./read-ocsp-response.ts";
import { requireResponder } from "./responder-key.ts";
import { nonceOctets, nonceValue, writeOcspRequest } from "./write-ocsp-request.ts";

/** An answer about one certificate has one to three thousand octets. */
const limitOctets = 65_536;

/** Where, how and when a responder is asked. */
export interface OcspQuestion {
  readonly url: URL;
  /** Enforces the limits of the question. */
  readonly fetch: RevocationFetch;
  readonly now: () => Date;
  readonly limitMilliseconds: number;
}

/**
 * Asks one OCSP responder (RFC 6960 appendix A, by POST) and checks everything required before its answer is trusted.
 * "unknown" is not an answer. Rejects with the errors of the fetch, a `DerFault` or an `UnusableAnswer`.
 */
export async function askOcsp(link: PathLink, question: OcspQuestion): Promise<RevocationAnswer | "unknown"> {
  const { url, fetch, now, limitMilliseconds } = question;
  const certId = certIdOf(link);
  const nonce = randomBytes(nonceOctets);
  const der = await fetch({
    url,
    body: writeOcspRequest(certId, nonce),
    contentType: "application/ocsp-request",
    accept: "application/ocsp-response",
    limitOctets,
    limitMilliseconds,
  });
  const response = readOcspResponse(der);
  const { status, ...times } = requireAnswer(response, certId);
  const period = { from: times.thisUpdate.getTime(), until: requireInTime(times, now()) };
  requireSameNonce(response, nonce);
  await requireResponder(response, link.issuer, now());
  if (status === "unknown") return status;
  const source = `OCSP ${url.host}`;
  return status === "good"
    ? { status, ...period, detail: `${source}: good` }
    : revokedAnswer(status.reason, period, source);
}

/** Returns the only answer about this certificate; others are ignored. */
function requireAnswer({ answers }: OcspResponse, wanted: CertId): OcspSingleAnswer {
  const [answer, second] = answers.filter(({ certId }) => isCertId(certId, wanted));
  if (answer === undefined) throw new UnusableAnswer("the answer is about another certificate");
  if (second !== undefined) throw new UnusableAnswer("there are two answers about the certificate");
  return answer;
}

/** Many responders sign in advance and repeat no nonce (RFC 9654 2.1); a nonce other than ours is a replay. */
function requireSameNonce({ nonce }: OcspResponse, sent: Buffer): void {
  if (nonce !== undefined && !nonce.equals(nonceValue(sent)))
    throw new UnusableAnswer("the nonce is not that of the request");
}
