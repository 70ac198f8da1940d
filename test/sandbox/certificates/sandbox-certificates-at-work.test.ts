import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type Server, TLSSocket } from "node:tls";
import { CertificateRefusal, createCertificateVerifier, parseTrustAnchors } from "@cobs/psd2-certificates";
import type { KeyPairFiles } from "@cobs/service-edge";
import { expect } from "chai";
import {
  type SandboxCertificates,
  writeSandboxCertificates,
} from "../../../packages/sandbox/src/certificates/sandbox-certificates.ts";

/** What TLS itself says about a wrong certificate; about the others it has nothing to complain. */
const tlsVerdicts: Readonly<Record<string, string>> = {
  "wrong-expired": "CERT_HAS_EXPIRED",
  "wrong-not-yet-valid": "CERT_NOT_YET_VALID",
  "wrong-unknown-ca": "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "wrong-no-client-purpose": "INVALID_PURPOSE",
};

async function keyPairOf({ certificateFile, keyFile }: KeyPairFiles): Promise<{ cert: string; key: string }> {
  return { cert: await readFile(certificateFile, "utf8"), key: await readFile(keyFile, "utf8") };
}

/** The verdict of the server's TLS on a client with this certificate, which itself trusts the server by name. */
async function handshake(server: Server, client: { cert: string; key: string; ca: string }): Promise<string> {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  const accepted = once(server, "secureConnection");
  const socket = connect({ ...client, port: address.port, host: "127.0.0.1", servername: "localhost" });
  await once(socket, "secureConnect");
  const [peer]: unknown[] = await accepted;
  socket.destroy();
  if (!(peer instanceof TLSSocket)) throw new Error("no TLS connection");
  peer.destroy();
  return peer.authorized ? "authorized" : String(peer.authorizationError);
}

describe("Certificates of a sandbox in use", () => {
  let parent: string;
  let made: SandboxCertificates;
  const now = new Date();

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), "certificates-"));
    made = await writeSandboxCertificates(join(parent, "certificates"), now);
  });

  after(() => rm(parent, { recursive: true }));

  it("each give a TPP identity, or are refused with the code that their profile names", async () => {
    const anchors = parseTrustAnchors(await readFile(made.anchorsFile, "utf8"));
    const verifier = createCertificateVerifier({ anchors });
    for (const { name, certificateFile, expectedRefusal, roles, organisationIdentifier } of made.tpp) {
      const der = new X509Certificate(await readFile(certificateFile, "utf8")).raw;
      const verify = () => verifier.verify({ der, intermediates: [], tlsVerdict: undefined }, now);
      if (expectedRefusal === null) expect(verify(), name).to.deep.include({ roles, organisationIdentifier });
      else expect(verify, name).to.throw(CertificateRefusal).with.property("code", expectedRefusal);
    }
  });

  it("complete mutual TLS with a client that trusts ca.pem, and TLS refuses what it can detect", async () => {
    const { anchors } = JSON.parse(await readFile(made.anchorsFile, "utf8"));
    const authorities = anchors.map(({ certificate }: { certificate: string }) => certificate);
    const own = await keyPairOf(made.server.resource);
    const server = createServer({ ...own, ca: authorities, requestCert: true, rejectUnauthorized: false });
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      const ca = await readFile(made.caFile, "utf8");
      for (const tpp of made.tpp) {
        const verdict = await handshake(server, { ...(await keyPairOf(tpp)), ca });
        expect(verdict, tpp.name).to.equal(tlsVerdicts[tpp.name] ?? "authorized");
      }
    } finally {
      server.close();
    }
  });
});
