import { TLSSocket } from "node:tls";
import { takeCertificate } from "./session-certificate.ts";
import { ENDS_AT_UNNAMED_CURVES } from "./unnamed-curves.ts";

/** The certificate that a peer proved to own in the handshake; nothing about it is verified yet but the key. */
export interface PresentedCertificate {
  readonly der: Buffer;
  /** Further certificates in the order leaf to root, as sent or as OpenSSL completed them; costly to ask for the first time. */
  readonly intermediates: readonly Buffer[];
  /** OpenSSL's verdict: undefined when it accepts the path as far as the listener's authorities, else its error code. */
  readonly tlsVerdict: string | undefined;
}

const MAX_PATH_LENGTH = 8;
const remembered = new WeakMap<object, PresentedCertificate | undefined>();
const issuersRead = new WeakMap<TLSSocket, readonly Buffer[]>();

/** `getPeerCertificate` reads names and key too, which takes ten times as long as the session, a tenth of a handshake. */
function leafOf(socket: TLSSocket): Buffer | undefined {
  const session = socket.getSession();
  return (session && takeCertificate(session)) ?? socket.getPeerCertificate(false)?.raw;
}

/** A certificate as both ways of Node.js link it to the next one. */
interface Linked {
  readonly raw: Buffer;
  readonly issuerCertificate?: Linked | undefined;
}

/** Those of a connection; a root is its own issuer, as Node links them. */
function issuersOf(socket: TLSSocket): readonly Buffer[] {
  const issuers: Buffer[] = [];
  // `getPeerCertificate` gives null where the connection is gone.
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
 * OpenSSL came to an authority of the listener and found none above it; any further objection would have taken
 * the place of this one. A trust anchor may be an issuing authority whose root is none (RFC 5280 6.1.1), and
 * Node.js has no switch for that at a server.
 */
const NOTHING_ABOVE_AN_AUTHORITY = "UNABLE_TO_GET_ISSUER_CERT";

function verdictOn({ authorized, authorizationError: error }: TLSSocket): string | undefined {
  if (authorized) return undefined;
  const verdict =
    error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
  return verdict === NOTHING_ABOVE_AN_AUTHORITY ? undefined : verdict;
}

/** Reads the issuers before anybody asks for them: for a Node.js that hides them later (`keep-issuers.ts`). */
export function readIssuers(socket: TLSSocket): void {
  issuersRead.set(socket, issuersOf(socket));
}

/**
 * OpenSSL decodes a copy of every issuer when it is asked for them, which takes as long as half a handshake, and a verifier
 * that knows the leaf does not ask.
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
 * The certificate of a connection, read from the handshake once and remembered with the socket (RFC 8705 section 2).
 *
 * Gives undefined when the peer showed none, which is remembered too. The same object comes back for every request of a
 * connection, so that verifiers can remember what they found.
 */
export function presentedCertificate(socket: unknown): PresentedCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  if (remembered.has(socket)) return remembered.get(socket);
  const leaf = leafOf(socket);
  const presented = leaf && present(socket, leaf);
  remembered.set(socket, presented);
  return presented;
}
