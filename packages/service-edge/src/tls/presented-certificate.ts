import { TLSSocket } from "node:tls";
import { takeCertificate } from "./session-certificate.ts";
import { ENDS_AT_UNNAMED_CURVES } from "./unnamed-curves.ts";

/** A certificate whose key the peer proved to have in the handshake; nothing else about it is verified yet. */
export interface PresentedCertificate {
  readonly der: Buffer;
  /** Further certificates in the order leaf to root, as sent or as OpenSSL completed them; expensive at the first access. */
  readonly intermediates: readonly Buffer[];
  /** OpenSSL's verdict: undefined if it accepts the path up to the listener's authorities, otherwise its error code. */
  readonly tlsVerdict: string | undefined;
}

const MAX_PATH_LENGTH = 8;
const remembered = new WeakMap<object, PresentedCertificate | undefined>();
const issuersRead = new WeakMap<TLSSocket, readonly Buffer[]>();

/**
 * Reads the leaf from the session. `getPeerCertificate` also reads names and key, which takes ten times as long, a tenth of a
 * handshake.
 */
function leafOf(socket: TLSSocket): Buffer | undefined {
  const session = socket.getSession();
  return (session && takeCertificate(session)) ?? socket.getPeerCertificate(false)?.raw;
}

/** A certificate linked to the next one, as both APIs of Node.js do it. */
interface Linked {
  readonly raw: Buffer;
  readonly issuerCertificate?: Linked | undefined;
}

/** Returns the issuers of a connection's certificate; a root is its own issuer, as Node links them. */
function issuersOf(socket: TLSSocket): readonly Buffer[] {
  const issuers: Buffer[] = [];
  // `getPeerCertificate` returns null if the connection is gone.
  let current: Linked | null | undefined = ENDS_AT_UNNAMED_CURVES
    ? socket.getPeerX509Certificate()
    : socket.getPeerCertificate(true);
  while (current && issuers.length < MAX_PATH_LENGTH - 1) {
    const issuer: Linked | undefined = current.issuerCertificate;
    if (issuer === undefined || issuer === current) break;
    issuers.push(issuer.raw);
    current = issuer;
  }
  return issuers;
}

/**
 * OpenSSL reached an authority of the listener but found none above it; any further objection would have replaced this one. A
 * trust anchor may be an issuing authority whose root is not an anchor (RFC 5280 6.1.1), and Node.js has no switch for that at
 * a server.
 */
const NOTHING_ABOVE_AN_AUTHORITY = "UNABLE_TO_GET_ISSUER_CERT";

function verdictOn({ authorized, authorizationError: error }: TLSSocket): string | undefined {
  if (authorized) return undefined;
  const verdict =
    error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
  return verdict === NOTHING_ABOVE_AN_AUTHORITY ? undefined : verdict;
}

/** Reads the issuers early, for a Node.js that hides them later (`keep-issuers.ts`). */
export function readIssuers(socket: TLSSocket): void {
  issuersRead.set(socket, issuersOf(socket));
}

/**
 * Makes the presented certificate, with its issuers read on demand. OpenSSL then decodes a copy of each, which takes as long
 * as half a handshake, and a verifier that knows the leaf does not ask for them.
 */
function present(socket: TLSSocket, der: Buffer): PresentedCertificate {
  let intermediates: readonly Buffer[] | undefined;
  return Object.freeze({
    der,
    get intermediates() {
      intermediates ??= issuersRead.get(socket) ?? issuersOf(socket);
      return intermediates;
    },
    tlsVerdict: verdictOn(socket),
  });
}

/**
 * Returns the certificate of a connection, read from the handshake once and remembered with the socket (RFC 8705 section 2).
 *
 * Undefined, also remembered, if the peer presented none. Every request of a connection gets the same object, so that
 * verifiers can remember their findings.
 */
export function presentedCertificate(socket: unknown): PresentedCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  if (remembered.has(socket)) return remembered.get(socket);
  const leaf = leafOf(socket);
  const presented = leaf && present(socket, leaf);
  remembered.set(socket, presented);
  return presented;
}
