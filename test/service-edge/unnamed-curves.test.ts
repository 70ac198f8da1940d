import { connect } from "node:tls";
import { type Listener, openTlsListener, presentedCertificate } from "@cobs/service-edge";
import { expect } from "chai";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import {
  authorityPlan,
  type Issued,
  issue,
  keyOf,
  qwacPlan,
} from "../psd2-certificates/certificate-builder.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("a stranger's certificate with a key on a curve that NIST has no name for", () => {
  const folder = temporaryFolder();
  let listener: Listener;

  before(async () => {
    const now = new Date();
    const ca = await createTestCa(now);
    listener = await openTlsListener({
      name: "test",
      host: "127.0.0.1",
      port: 0,
      keyPair: await writeServerKeyPair(ca, folder.path, now),
      clientCertificates: { kind: "requested", authorities: () => [ca.private.certificatePem] },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log: readableLog().log,
      handle: ({ socket }, response) => {
        const { der, intermediates = [] } = presentedCertificate(socket) ?? {};
        response.end(JSON.stringify([der, ...intermediates].map((each) => each?.toString("base64"))));
      },
    });
  });
  after(async () => {
    await listener.close(0);
    folder.remove();
  });

  /** What the server sees of a leaf and what is sent along with it. */
  function seen([leaf, ...others]: readonly [Issued, ...Issued[]]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const cert = [leaf, ...others].map(({ pem }) => pem).join("");
      const key = leaf.key.export({ type: "pkcs8", format: "pem" });
      const socket = connect({ port: listener.port, rejectUnauthorized: false, cert, key });
      let text = "";
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(JSON.parse(text.slice(text.indexOf("[")))));
    });
  }

  for (const curve of ["secp256k1", "brainpoolP256r1"] as const)
    it(`is seen as it was sent, as an authority on ${curve}: Node.js 24 and 26 end where they are asked to describe it`, async () => {
      const authority = issue(authorityPlan("Stranger", { key: keyOf(curve) }));
      const leaf = issue(qwacPlan(), authority);
      const sent = [leaf, authority].map(({ der }) => der.toString("base64"));
      expect(await seen([leaf, authority])).to.deep.equal(sent);
    });

  it("ends no process as its own, which OpenSSL takes from Node.js 24 on", async () => {
    const leaf = issue(qwacPlan({ key: keyOf("brainpoolP256r1") }));
    await seen([leaf]).catch(() => undefined);
    const usual = issue(qwacPlan());
    expect(await seen([usual])).to.deep.equal([usual.der.toString("base64")]);
  });
});
