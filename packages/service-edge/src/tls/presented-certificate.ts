import type { DetailedPeerCertificate } from "node:tls";
import { TLSSocket } from "node:tls";

/** The certificate that a peer proved to own in the handshake; nothing about it is verified yet but the key. */
export interface PresentedCertificate {
  readonly der: Buffer;
  /** Further certificates in the order leaf to root, as sent or as OpenSSL completed them. */
  readonly intermediates: readonly Buffer[];
  /** OpenSSL's verdict: undefined when it accepts the path, else its error code. */
  readonly tlsVerdict: string | undefined;
}

const MAX_PATH_LENGTH = 8;
const remembered = new WeakMap<object, PresentedCertificate>();

function collectPath(leaf: DetailedPeerCertificate): Buffer[] {
  const path = [leaf.raw];
  let current = leaf;
  while (path.length < MAX_PATH_LENGTH) {
    const issuer: DetailedPeerCertificate | undefined = current.issuerCertificate;
    if (issuer === undefined || issuer === current || issuer.raw.equals(current.raw)) break;
    path.push(issuer.raw);
    current = issuer;
  }
  return path;
}

function describeVerdict(error: unknown): string {
  if (error instanceof Error) return "code" in error ? String(error.code) : error.message;
  return String(error);
}

/**
 * The certificate of a connection, read from the handshake once and remembered with the socket (RFC 8705 section 2).
 *
 * Gives undefined when the peer showed none. The same object comes back for every request of a connection, so
 * that verifiers can remember what they found.
 */
export function presentedCertificate(socket: unknown): PresentedCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const known = remembered.get(socket);
  if (known !== undefined) return known;
  const leaf = socket.getPeerCertificate(true);
  if (leaf?.raw === undefined) return undefined;
  const [der, ...intermediates] = collectPath(leaf);
  if (der === undefined) return undefined;
  const tlsVerdict = socket.authorized ? undefined : describeVerdict(socket.authorizationError);
  const presented = Object.freeze({ der, intermediates, tlsVerdict });
  remembered.set(socket, presented);
  return presented;
}
