/**
 * One TPP under one authority, and the revocation sources that its certificate names, as functions. No connection is opened,
 * time stands still until it is moved, and every question is recorded.
 */
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import {
  CertificateRefusal,
  createTppVerification,
  parseTrustAnchors,
  type RevocationDemand,
  type RevocationEvent,
  type RevocationFetch,
  type RevocationQuestion,
  RevocationUnavailable,
} from "@cobs/psd2-certificates";
import {
  authorityInformationAccess,
  basicConstraints,
  crlDistributionPoints,
  keyUsage,
} from "../../../packages/sandbox/src/certificates/certificate-extension.ts";
import { type CrlDescription, signCrl } from "../../../packages/sandbox/src/certificates/crl.ts";
import { readOcspRequest } from "../../../packages/sandbox/src/certificates/ocsp-request.ts";
import {
  type OcspDescription,
  type OcspSingleAnswer,
  signOcspResponse,
} from "../../../packages/sandbox/src/certificates/ocsp-response.ts";
import {
  anchorFile,
  authorityPlan,
  extension,
  type Issued,
  issue,
  now,
  type Plan,
  present,
  qwacExtensions,
  qwacPlan,
} from "../certificate-builder.ts";

export const ocspUrl = "http://ocsp.test/";
export const crlUrl = "http://crl.test/list.crl";
export const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

/** A source: returns its answer to a question, or undefined to stay silent, like one that refuses connections. */
export type Source = (question: RevocationQuestion) => Buffer | Promise<Buffer>;

/** An authority that may sign CRLs too. */
export function authorityOf(name: string, issuer?: Issued, changes: Partial<Plan> = {}): Issued {
  const usage = [extension(basicConstraints(true)), extension(keyUsage("keyCertSign", "cRLSign"))];
  const { extensions = [], ...others } = changes;
  return issue(authorityPlan(name, { ...others, extensions: [...usage, ...extensions] }), issuer);
}

/** Extensions that name the sources. */
export function sourcesAt(ocsp: readonly string[], crl: readonly string[]): readonly Uint8Array[] {
  return [
    ...(ocsp.length === 0 ? [] : [extension(authorityInformationAccess(...ocsp))]),
    ...(crl.length === 0 ? [] : [extension(crlDistributionPoints(...crl))]),
  ];
}

/** A QWAC that names these sources. */
export function tppUnder(
  issuer: Issued,
  sources: readonly Uint8Array[] = sourcesAt([ocspUrl], [crlUrl]),
  changes: Partial<Plan> = {},
): Issued {
  return issue(qwacPlan({ extensions: [...qwacExtensions(), ...sources], ...changes }), issuer);
}

/** The signer in the form that the writers of the test CA accept. */
export function signerOf({ pem, key }: Issued) {
  return { certificatePem: pem, privateKeyPem: key.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** A responder that answers each question, and may be wrong in any one thing. */
export function responderOf(
  signer: Issued,
  wrong: {
    readonly answer?: Partial<OcspSingleAnswer>;
    readonly response?: Partial<OcspDescription>;
  } = {},
): Source {
  return ({ body = Buffer.alloc(0) }) => {
    const { certIds, nonce } = readOcspRequest(body);
    const times = { thisUpdate: minutes(-1), nextUpdate: minutes(60) };
    return signOcspResponse(signerOf(signer), {
      producedAt: minutes(-1),
      answers: certIds.map(({ encoded }) => ({
        subject: encoded,
        status: "good",
        ...times,
        ...wrong.answer,
      })),
      ...(nonce && { nonce }),
      ...wrong.response,
    });
  };
}

/** An empty CRL, which may be wrong in any one thing. */
export function listOf(signer: Issued, wrong: Partial<CrlDescription> = {}): Buffer {
  return signCrl(signerOf(signer), {
    number: 1,
    thisUpdate: minutes(-1),
    nextUpdate: minutes(24 * 60),
    revoked: [],
    ...wrong,
  });
}

/** A verification whose sources and clock the test controls. */
export function revocationWorld(
  settings: {
    readonly anchors?: readonly Issued[];
    readonly cacheSeconds?: number;
    readonly graceSeconds?: number;
  } = {},
) {
  const issuing = authorityOf("Issuing CA");
  const sources = new Map<string, Source>();
  const questions: RevocationQuestion[] = [];
  const events: RevocationEvent[] = [];
  let elapsed = 0;
  let examinations = 0;
  const fetch: RevocationFetch = async (question) => {
    questions.push(question);
    const source = sources.get(question.url.href);
    if (source === undefined) throw new Error("nobody listens there");
    return source(question);
  };
  const verification = createTppVerification({
    anchors: parseTrustAnchors(anchorFile(settings.anchors ?? [issuing])),
    onExamination: () => {
      examinations += 1;
    },
    revocation: {
      fetch,
      monotonicMilliseconds: () => elapsed,
      cacheSeconds: settings.cacheSeconds ?? 600,
      graceSeconds: settings.graceSeconds ?? 900,
      onEvent: (event) => events.push(event),
    },
  });
  const clock = () => new Date(now.getTime() + elapsed);
  return {
    issuing,
    sources,
    questions,
    events,
    verification,
    clock,
    pass: (seconds: number) => {
      elapsed += seconds * 1000;
    },
    /** How often a certificate was read and its paths were built. */
    examinations: () => examinations,
    asked: (url: string) => questions.filter((question) => question.url.href === url).length,
    /** Outcome of a call: "accepted", the code of a refusal, or "unavailable". */
    call: async (
      tpp: Issued,
      demand: RevocationDemand = "certain",
      intermediates: readonly Issued[] = [],
    ): Promise<string> =>
      verification.identify(present(tpp.der, intermediates), clock(), demand).then(() => "accepted", codeOf),
  };
}

/** The code of a refusal, or "unavailable"; rethrows any other error. */
export function codeOf(error: unknown): string {
  if (error instanceof CertificateRefusal) return error.code;
  if (error instanceof RevocationUnavailable) return "unavailable";
  throw error;
}

const oneOctet = promisify<number, Buffer>(randomBytes);

const ROUNDS = 20;
const TURNS = 10;
/** More than the threads that verify signatures. */
const THREADS = 8;

/**
 * Waits until everything that calls have begun in the background has ended, step by step: other threads verify signatures, in
 * the order of the requests, however busy the machine is.
 */
export async function settled(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: THREADS }, () => oneOctet(1)));
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
