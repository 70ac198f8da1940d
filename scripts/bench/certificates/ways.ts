import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { createTppVerification, parseTrustAnchors } from "@cobs/psd2-certificates";
import { type OutsideQuestion, presentedCertificate } from "@cobs/service-edge";
import { readOcspRequest } from "../../../packages/sandbox/src/certificates/ocsp-request.ts";
import { signOcspResponse } from "../../../packages/sandbox/src/certificates/ocsp-response.ts";
import type { BenchMaterial } from "./bench-material.ts";

/** What a server does with the certificate on each request before it answers. */
export type Way = (request: IncomingMessage) => undefined | Promise<unknown>;

/** Names of the ways that are compared; the first is the baseline. */
export const wayNames = ["bare", "verified", "read-each-time", "parsed-each-time"] as const;

export type WayName = (typeof wayNames)[number];

const ONE_HOUR_MILLISECONDS = 3_600_000;

/** Prepares the way of a name. */
export function prepareWay(name: WayName, material: BenchMaterial): Promise<Way> {
  return ways[name](material);
}

const ways: Readonly<Record<WayName, (material: BenchMaterial) => Promise<Way>>> = {
  bare: async () => () => undefined,
  verified: async (material) => {
    const verification = createTppVerification({
      anchors: parseTrustAnchors(material.anchors),
      revocation: {
        fetch: (question) => answerAsResponder(question, material),
        monotonicMilliseconds: () => performance.now(),
        cacheSeconds: 600,
        graceSeconds: 900,
      },
    });
    return ({ socket }) => verification.identify(presentedCertificate(socket), new Date(), "known");
  },
  "read-each-time":
    async () =>
    ({ socket }) => {
      if (socket instanceof TLSSocket) requireSubject(socket.getPeerCertificate(true).subject);
    },
  "parsed-each-time": async () => {
    await import("reflect-metadata");
    const { X509Certificate } = await import("@peculiar/x509");
    return ({ socket }) => {
      const der = presentedCertificate(socket)?.der;
      if (der !== undefined) requireSubject(new X509Certificate(der).subject);
    };
  },
};

function requireSubject(subject: unknown): void {
  if (subject === undefined) throw new TypeError("no subject was read");
}

/** Answers as the issuing authority's OCSP responder without a network, whose cost is not measured here. */
async function answerAsResponder({ body }: OutsideQuestion, { responder }: BenchMaterial): Promise<Buffer> {
  if (body === undefined) throw new TypeError("only OCSP is answered");
  const { certIds, nonce } = readOcspRequest(body);
  const now = Date.now();
  return signOcspResponse(responder, {
    producedAt: new Date(now),
    answers: certIds.map(({ encoded }) => ({
      subject: encoded,
      status: "good",
      thisUpdate: new Date(now),
      nextUpdate: new Date(now + ONE_HOUR_MILLISECONDS),
    })),
    ...(nonce !== undefined && { nonce }),
  });
}
