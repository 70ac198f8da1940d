import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect as connectTcp } from "node:net";
import { Duplex } from "node:stream";
import { connect } from "node:tls";

/** `ContentType` handshake and `HandshakeType` certificate_request (RFC 5246 6.2.1, 7.4). */
const HANDSHAKE = 22;
const CERTIFICATE_REQUEST = 13;
const RECORD_HEADER_BYTES = 5;
const MESSAGE_HEADER_BYTES = 4;

/** Whether a server requests a client certificate: in TLS 1.2 the request is readable on the wire. */
export async function asksForCertificate(base: string, caFile: string): Promise<boolean> {
  const { hostname, port } = new URL(base);
  const tcp = connectTcp(Number(port), hostname);
  const heard: Buffer[] = [];
  // A stream of our own between TLS and TCP, because reads from a bare socket cannot be observed.
  const wire = new Duplex({ read: () => undefined, write: (bytes, _, done) => tcp.write(bytes, done) });
  tcp.on("data", (bytes: Buffer) => {
    heard.push(bytes);
    wire.push(bytes);
  });
  const ca = await readFile(caFile);
  const tls = connect({ socket: wire, servername: hostname, ca, maxVersion: "TLSv1.2" });
  await once(tls, "secureConnect");
  tls.destroy();
  tcp.destroy();
  return messageTypes(Buffer.concat(heard)).includes(CERTIFICATE_REQUEST);
}

/** Types of the handshake messages before encryption begins, in order. */
function messageTypes(bytes: Buffer): readonly number[] {
  const parts: Buffer[] = [];
  for (let at = 0; bytes[at] === HANDSHAKE; ) {
    const end = at + RECORD_HEADER_BYTES + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + RECORD_HEADER_BYTES, end));
    at = end;
  }
  const messages = Buffer.concat(parts);
  const types: number[] = [];
  for (let at = 0; at < messages.length; at += MESSAGE_HEADER_BYTES + messages.readUIntBE(at + 1, 3)) {
    types.push(messages[at] ?? 0);
  }
  return types;
}
