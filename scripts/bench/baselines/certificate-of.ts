import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

const seen = new WeakMap<TLSSocket, X509Certificate>();

/** The certificate of a caller that TLS has authorized; read once per connection. */
export function certificateOf({ socket }: IncomingMessage): X509Certificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = seen.get(socket) ?? new X509Certificate(socket.getPeerCertificate().raw);
  seen.set(socket, certificate);
  return certificate;
}
