import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { connect, type SecureVersion, type TLSSocket } from "node:tls";
import { presentedCertificate, TLS_SETTINGS } from "@cobs/service-edge";
import { expect } from "chai";
import { readKeyPair } from "../../packages/sandbox/src/certificates/key-pair-files.ts";
import { takeCertificate } from "../../packages/service-edge/src/tls/session-certificate.ts";
import { testCertificates } from "../support/test-certificates.ts";

/** What a server has of one connection. */
interface Connection {
  readonly socket: TLSSocket;
  readonly session: Buffer;
}

describe("Certificate read from a TLS session", () => {
  let server: Server;
  let own: { readonly chainPem: string; readonly privateKeyPem: string };
  const callers: TLSSocket[] = [];

  before(async () => {
    own = await readKeyPair((await testCertificates()).server.auth);
    const keyPair = { cert: own.chainPem, key: own.privateKeyPem };
    server = createServer({ ...TLS_SETTINGS, ...keyPair, requestCert: true, rejectUnauthorized: false });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  });
  after(() => {
    for (const caller of callers) caller.destroy();
    server.close();
  });

  async function connection(version: SecureVersion, cert?: string): Promise<Connection> {
    const caller = connect({
      port: (server.address() as AddressInfo).port,
      host: "127.0.0.1",
      rejectUnauthorized: false,
      minVersion: version,
      maxVersion: version,
      ...(cert !== undefined && { cert, key: own.privateKeyPem }),
    });
    callers.push(caller);
    const [socket] = (await once(server, "secureConnection")) as [TLSSocket];
    return { socket, session: socket.getSession() ?? Buffer.alloc(0) };
  }

  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    it(`is the one that the peer proved to own, with ${version}`, async () => {
      const { socket, session } = await connection(version, own.chainPem);
      const { raw } = socket.getPeerCertificate(false);
      expect(takeCertificate(session)?.equals(raw)).to.equal(true);
      expect(presentedCertificate(socket)?.der.equals(raw)).to.equal(true);
    });

    it(`is absent when the peer sent none, with ${version}`, async () => {
      const { socket, session } = await connection(version);
      expect(takeCertificate(session)).to.equal(undefined);
      expect(presentedCertificate(socket)).to.equal(undefined);
    });
  }

  it("has no issuers once its connection is gone, without an error", async () => {
    const { socket } = await connection("TLSv1.3", own.chainPem);
    const presented = presentedCertificate(socket);
    socket.destroy();
    await once(socket, "close");
    expect(presented?.intermediates).to.deep.equal([]);
  });

  it("is taken out while the rest of the session is erased", async () => {
    const { session } = await connection("TLSv1.3", own.chainPem);
    takeCertificate(session);
    expect(session.every((octet) => octet === 0)).to.equal(true);
  });

  it("is absent in a session that is cut short anywhere", async () => {
    const { session } = await connection("TLSv1.3", own.chainPem);
    for (let length = 0; length < session.length; length += 1)
      expect(takeCertificate(Buffer.from(session.subarray(0, length))), `${length} octets`).to.equal(
        undefined,
      );
  });

  it("is absent in octets with meaningless lengths", () => {
    for (const octets of ["30", "3080", "3084ffffffff", "3003a38001", "3002a305", "3004a3023000ff"])
      expect(takeCertificate(Buffer.from(octets, "hex")), octets).to.equal(undefined);
  });
});
