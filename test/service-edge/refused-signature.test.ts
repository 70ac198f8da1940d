import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { type Listener, openTlsListener, presentedCertificate } from "@cobs/service-edge";
import { expect } from "chai";
import { issuePrivateCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CALL = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
/** Whether a first call comes together with the end of its handshake is up to chance. */
const ROUNDS = 10;

describe("Certificate whose signature is not by the authority that it names", () => {
  const folder = temporaryFolder();
  let listener: Listener;
  let identity: { readonly cert: string; readonly key: string };

  before(async () => {
    const now = new Date();
    const ca = await createTestCa(now);
    const name = { commonName: "mallory", dnsNames: [], ipAddresses: [], purposes: ["clientAuth"] } as const;
    const issued = await issuePrivateCertificate(ca, name, now);
    identity = { cert: withAnotherSerial(issued.certificatePem), key: issued.privateKeyPem };
    listener = await openTlsListener({
      name: "test",
      host: "127.0.0.1",
      port: 0,
      keyPair: await writeServerKeyPair(ca, folder.path, now),
      clientCertificates: { kind: "requested", authorities: () => [ca.private.certificatePem] },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log: readableLog().log,
      handle: ({ socket }, response) => void response.end(presentedCertificate(socket)?.tlsVerdict),
    });
  });
  after(async () => {
    await listener.close(0);
    folder.remove();
  });

  /** Sends two calls, one as soon as it can, and gives all that comes back. */
  function callTwice(): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = "";
      const socket = connect({ port: listener.port, rejectUnauthorized: false, ...identity });
      socket.write(CALL);
      socket.once("data", () => socket.write(CALL.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")));
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
      });
      socket.on("close", () => resolve(text)).on("error", reject);
    });
  }

  it("reaches the application, which refuses it itself, rather than failing in HTTP (RFC 8446 4.4.2.4)", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await callTwice();
      expect(answers.match(/HTTP\/1\.1 \d{3}/g), answers).to.deep.equal(["HTTP/1.1 200", "HTTP/1.1 200"]);
      expect(answers).to.contain("CERT_SIGNATURE_FAILURE");
    }
  });
});

/** Well formed as before, and signed by nobody. */
function withAnotherSerial(pem: string): string {
  const { raw, serialNumber } = new X509Certificate(pem);
  const last = raw.indexOf(Buffer.from(serialNumber, "hex")) + serialNumber.length / 2 - 1;
  raw.writeUInt8(raw.readUInt8(last) ^ 1, last);
  return new X509Certificate(raw).toString();
}
