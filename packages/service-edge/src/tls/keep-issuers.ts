import type { Server, TLSSocket } from "node:tls";
import { readIssuers } from "./presented-certificate.ts";

/** Node.js 24 from 24.21 on, until a release without this behaviour is known, and 26.8. */
const HIDES_ISSUERS = /^v(?:24\.(?:2[1-9]|[3-9]\d)|26\.8)\./;

/**
 * Reads the issuers of a peer's certificate before the handshake ends. Some releases of Node.js examine the certificate
 * themselves at that moment, after which its issuers are no longer visible (nodejs/node#65579). A TPP whose issuing CA is not
 * a trust anchor would then be refused although it sent that CA along. A handshake first names its socket in the event
 * `keylog`; the secret in the event is ignored.
 */
export function keepIssuers(server: Server, nodeVersion = process.version): void {
  if (!HIDES_ISSUERS.test(nodeVersion)) return;
  const seen = new WeakSet<TLSSocket>();
  server.on("keylog", (_secret, socket) => {
    if (seen.has(socket)) return;
    seen.add(socket);
    socket.prependOnceListener("secure", () => readIssuers(socket));
  });
}
