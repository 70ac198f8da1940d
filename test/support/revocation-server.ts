import { X509Certificate } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type RevokedEntry, signCrl } from "../../packages/sandbox/src/certificates/crl.ts";
import type { IssuedCertificate } from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import { readOcspRequest } from "../../packages/sandbox/src/certificates/ocsp-request.ts";
import { signOcspResponse } from "../../packages/sandbox/src/certificates/ocsp-response.ts";
import {
  type SandboxCertificates,
  writeSandboxCertificates,
} from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { readTestCa } from "../../packages/sandbox/src/certificates/test-ca-files.ts";

/** An OCSP responder and a CRL over real http on loopback; a test decides what they answer, and whether. */
export interface RevocationServer {
  /** Issues a sandbox's certificates that name this server, to a folder; from then on it answers for their authority. */
  issue(folder: string): Promise<SandboxCertificates>;
  now: () => Date;
  /** Sources that cut the connection instead of answering. */
  readonly silent: Set<"ocsp" | "crl">;
  /** Answers wait for this promise. */
  hold: Promise<void>;
  /** Number of requests to each. */
  readonly asked: { ocsp: number; crl: number };
  revoke(certificatePem: string): void;
  /** Restores the initial state: nothing revoked, nobody silent. */
  reset(): void;
  close(): Promise<void>;
}

const ANSWER_MILLISECONDS = 600_000;
/** A list expires soon, so that one that was fetched while OCSP answered does not outlast a silence. */
const LIST_MILLISECONDS = 1_000;

/** Starts the server on a random port. */
export async function startRevocationServer(): Promise<RevocationServer> {
  const revoked: RevokedEntry[] = [];
  let issuer: IssuedCertificate | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const source = request.method === "POST" ? "ocsp" : "crl";
    running.asked[source] += 1;
    await running.hold;
    if (running.silent.has(source) || issuer === undefined) return void response.destroy();
    response.end(source === "ocsp" ? answerOcsp(issuer, Buffer.concat(chunks)) : presentCrl(issuer));
  }

  function answerOcsp(issuer: IssuedCertificate, request: Buffer): Buffer {
    const { certIds, nonce } = readOcspRequest(request);
    const answers = certIds.map(({ encoded, serialNumber }) => {
      const entry = revoked.find((each) => isSame(each.serialNumber, serialNumber));
      return { subject: encoded, status: entry ?? ("good" as const), ...times() };
    });
    return signOcspResponse(issuer, { producedAt: running.now(), ...(nonce && { nonce }), answers });
  }

  const presentCrl = (issuer: IssuedCertificate) =>
    signCrl(issuer, { number: 1, ...times(LIST_MILLISECONDS), revoked });

  const times = (milliseconds = ANSWER_MILLISECONDS) => ({
    thisUpdate: running.now(),
    nextUpdate: new Date(running.now().getTime() + milliseconds),
  });

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: RevocationServer = {
    issue: async (folder) => {
      const sources = { ocsp: `${base}/ocsp`, crl: `${base}/crl` };
      const certificates = await writeSandboxCertificates(folder, new Date(), sources);
      issuer = (await readTestCa(folder)).qtspIssuing;
      return certificates;
    },
    now: () => new Date(),
    silent: new Set(),
    hold: Promise.resolve(),
    asked: { ocsp: 0, crl: 0 },
    revoke: (certificatePem) => {
      const { serialNumber } = new X509Certificate(certificatePem);
      revoked.push({ serialNumber, revokedAt: running.now(), reason: "keyCompromise" });
    },
    reset: () => {
      revoked.length = 0;
      running.silent.clear();
      running.hold = Promise.resolve();
      Object.assign(running.asked, { ocsp: 0, crl: 0 });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return running;
}

/** Compares hexadecimal numbers, ignoring leading zeros. */
function isSame(one: string, other: string): boolean {
  return BigInt(`0x${one}`) === BigInt(`0x${other}`);
}
