/**
 * The OCSP responder and the CRLs of the test CA, over plain http on loopback, as usual for such services (RFC 6960 appendix
 * A). It owns the paths and the limits of a request. `answer-revocation.ts` makes the answers. Which certificates are revoked
 * is in the CA's folder, read at every request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { answerOcsp, presentCrl, type RevocationState } from "./answer-revocation.ts";
import { type AnsweringAuthorities, issuingName } from "./answering-authorities.ts";
import type { RevokedCertificates } from "./revoked-certificates.ts";

/** What a responder needs. */
export interface RevocationResponderOptions {
  /** Gives the authorities by the names of their CRLs; called at every request. */
  readonly authorities: () => Promise<AnsweringAuthorities>;
  readonly revoked: Pick<RevokedCertificates, "list">;
  /** On 127.0.0.1. */
  readonly port: number;
  /** Told why nothing can be answered, once for each new reason. */
  readonly tell?: (line: string) => void;
}

/** A listening responder. */
export interface RevocationResponder {
  readonly port: number;
  stop(): Promise<void>;
}

const crlPath = /^\/crl\/([^/]+)\.crl$/;
const requestLimitOctets = 4_096;
const ocspResponse = "application/ocsp-response";

/** URLs of the responder on a port, which certificates name. */
export function revocationUrls(port: number): { readonly ocsp: string; readonly crl: string } {
  const base = `http://localhost:${port}`;
  return { ocsp: `${base}/ocsp`, crl: `${base}/crl/${issuingName}.crl` };
}

/** Opens the responder; rejects if the port is taken. */
export async function openRevocationResponder(
  options: RevocationResponderOptions,
): Promise<RevocationResponder> {
  let told = "";
  const tell = (reason: string) => {
    if (reason !== told) options.tell?.(`the revocation responder cannot answer: ${reason}`);
    told = reason;
  };
  const state = async (): Promise<RevocationState> => {
    try {
      const [authorities, revoked] = [await options.authorities(), await options.revoked.list()];
      told = "";
      return { authorities, revoked, now: new Date() };
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
  const server = createServer((request, response) => {
    answer(request, response, state).catch(() => response.writeHead(500).end());
  });
  server.requestTimeout = 10_000;
  const port = await listen(server, options.port);
  return { port, stop: () => close(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: () => Promise<RevocationState>,
): Promise<void> {
  const path = request.url ?? "";
  const crlName = request.method === "GET" ? crlPath.exec(path)?.[1] : undefined;
  if (crlName !== undefined) {
    const crl = presentCrl(decoded(crlName), await state());
    if (crl !== undefined) return write(response, "application/pkix-crl", crl);
  }
  if (request.method === "POST" && path === "/ocsp") {
    const body = await bodyOf(request);
    if (body === undefined) return void response.writeHead(413).end();
    return write(response, ocspResponse, answerOcsp(body, await state()));
  }
  if (request.method === "GET" && path.startsWith("/ocsp/")) {
    const encoded = decoded(path.slice("/ocsp/".length));
    return write(response, ocspResponse, answerOcsp(Buffer.from(encoded, "base64"), await state()));
  }
  response.writeHead(404).end();
}

/** Empty if it cannot be decoded: that is neither the name of a CRL nor a request. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

function write(response: ServerResponse, type: string, body: Buffer): void {
  response.writeHead(200, { "content-type": type, "content-length": body.length }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of request) {
    octets += chunk.length;
    if (octets > requestLimitOctets) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
