import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type TLSSocket } from "node:tls";
import { expect } from "chai";
import { keepIssuers } from "../../packages/service-edge/src/tls/keep-issuers.ts";
import { presentedCertificate } from "../../packages/service-edge/src/tls/presented-certificate.ts";
import {
  type CertificateMatrix,
  issueCertificateMatrix,
  presentedOf,
} from "../support/certificate-matrix.ts";
import { testCertificates } from "../support/test-certificates.ts";

const HIDING = ["v24.21.0", "v24.22.1", "v24.30.0", "v26.8.0", "v26.8.2"];
const SHOWING = ["v20.20.2", "v22.23.3", "v24.9.0", "v24.20.0", "v26.7.0", "v26.9.0", "v26.10.0"];

describe("Issuers sent with a peer's certificate", () => {
  let certificates: CertificateMatrix;
  before(async () => {
    certificates = await issueCertificateMatrix(await testCertificates());
  });
  after(() => certificates.close());

  /** What is seen of a certificate with two authorities above it once Node.js has looked at it in its own way. */
  async function seenIn(nodeVersion: string) {
    const { server: servers, anchorsFile } = await testCertificates();
    const { anchors }: { anchors: { certificate: string }[] } = JSON.parse(readFileSync(anchorsFile, "utf8"));
    const server = createServer({
      cert: readFileSync(servers.auth.certificateFile),
      key: readFileSync(servers.auth.keyFile),
      ca: anchors.map(({ certificate }) => certificate),
      requestCert: true,
      rejectUnauthorized: false,
    });
    keepIssuers(server, nodeVersion);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { chainPem: cert, privateKeyPem: key } = certificates.certificate("chain-of-two").issued;
    const client = connect({ port, cert, key, rejectUnauthorized: false });
    const [socket]: TLSSocket[] = await once(server, "secureConnection");
    if (socket === undefined) throw new Error("there is no connection");
    socket.getPeerX509Certificate();
    const presented = presentedCertificate(socket);
    client.destroy();
    socket.destroy();
    server.close();
    return presented;
  }

  for (const version of HIDING)
    it(`are kept in Node.js ${version}, which hides them after the handshake (nodejs/node#65579)`, async () => {
      const { der, intermediates } = presentedOf(certificates.certificate("chain-of-two"));
      const seen = await seenIn(version);
      expect(seen?.der).to.deep.equal(der);
      expect(seen?.intermediates.slice(0, intermediates.length)).to.deep.equal(intermediates);
    });

  it("are not read ahead in other versions of Node.js, as that takes half as long as a handshake", () => {
    for (const version of SHOWING) {
      const server = createServer();
      keepIssuers(server, version);
      expect(server.listenerCount("keylog"), version).to.equal(0);
    }
  });
});
