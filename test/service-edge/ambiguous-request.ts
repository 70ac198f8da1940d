/** A program that opens a listener, sends it bytes that could be read as one request or as two, and prints the answer. */
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { createLog, openTlsListener } from "@cobs/service-edge";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const AMBIGUOUS =
  "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" +
  "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

const folder = temporaryFolder();
const ca = await createTestCa(new Date());
const listener = await openTlsListener({
  name: "test",
  host: "127.0.0.1",
  port: 0,
  keyPair: await writeServerKeyPair(ca, folder.path, new Date()),
  clientCertificates: { kind: "never-asked" },
  presentProtocolError: String,
  log: createLog("test", "error"),
  handle: (_request, response) => void response.end("answer"),
});
const socket = connect({ port: listener.port, host: "localhost", ca: ca.web.certificatePem });
await once(socket, "secureConnect");
socket.write(AMBIGUOUS);
process.stdout.write(await text(socket));
await listener.close(0);
folder.remove();
