import type { Server, TLSSocket } from "node:tls";
import { readIssuers } from "./presented-certificate.ts";

/** Node.js 24 from 24.21 on, as long as no release of it is known that does not, and 26.8. */
const HIDES_ISSUERS = /^v(?:24\.(?:2[1-9]|[3-9]\d)|26\.8)\./;

/**
 * Some releases of Node.js look at the certificate of a peer themselves when its handshake is over, after which nobody sees the
 * certificates of its issuers any more (nodejs/node#65579): a TPP whose issuing CA is no trust anchor would be refused, though
 * it sent that CA along. There they are read just before. A handshake names its socket first with the event `keylog`; the
 * secret that comes with it is looked at by nobody.
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
