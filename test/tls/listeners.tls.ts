import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectPlainly } from "node:net";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { expect } from "chai";
import type {
  CertificatePaths,
  SandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { journeySandbox } from "../journeys/journey-sandbox.ts";
import { rejectionOf } from "../support/rejection.ts";
import { addressesListeningOn } from "./listening-addresses.ts";
import { askForCompression } from "./server-hello.ts";
import { type Scan, scan } from "./sslscan.ts";

/** A TLS listener of the pair: its port, and whom it takes. */
interface ScannedListener {
  readonly port: string;
  readonly ca: string;
  readonly client?: CertificatePaths;
}

const LISTENERS: Readonly<Record<string, (document: SandboxDocument) => ScannedListener>> = {
  "auth's browser listener": ({ auth, ca }) => ({ port: portOf(auth.browser), ca }),
  "auth's listener for TPPs": ({ auth, ca }) => ({ port: portOf(auth.mutualTls), ca }),
  "auth's bank listener": ({ auth, privateCa, bankClients }) => ({
    port: portOf(auth.bank),
    ca: privateCa,
    client: bankClients.resource,
  }),
  "resource's listener for TPPs": ({ resource, ca }) => ({ port: portOf(resource.mutualTls), ca }),
  "resource's bank listener": ({ resource, privateCa, bankClients }) => ({
    port: portOf(resource.bank),
    ca: privateCa,
    client: bankClients.auth,
  }),
};

const SUITES = [
  "TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256",
  "TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384",
  "TLSv1.3 TLS_AES_128_GCM_SHA256",
  "TLSv1.3 TLS_AES_256_GCM_SHA384",
  "TLSv1.3 TLS_CHACHA20_POLY1305_SHA256",
];
const GROUPS = ["secp256r1 (NIST P-256)", "secp384r1 (NIST P-384)", "x25519"];

function portOf(url: string): string {
  return new URL(url).port;
}

for (const [name, find] of Object.entries(LISTENERS)) {
  describe(`${name}, scanned from outside`, function scanned() {
    this.timeout(180_000);
    let listener: ScannedListener;
    let found: Scan;

    before(async () => {
      listener = find(await (await journeySandbox()).document());
      found = await scan(listener.port, listener.client);
    });

    function open(options: ConnectionOptions): TLSSocket {
      const { port, ca, client } = listener;
      return connect({
        port: Number(port),
        host: "localhost",
        servername: "localhost",
        ca: readFileSync(ca),
        ...(client && { cert: readFileSync(client.certificate), key: readFileSync(client.key) }),
        ...options,
      });
    }

    it("speaks TLS 1.2 and 1.3 and nothing older (TLS-01, FAPI 2.0 5.2.1)", () => {
      const spoken = found
        .all("protocol")
        .map(({ type, version, enabled }) => `${type} ${version}: ${enabled}`);
      expect(spoken).to.deep.equal([
        ...["ssl 2: 0", "ssl 3: 0", "tls 1.0: 0", "tls 1.1: 0"],
        ...["tls 1.2: 1", "tls 1.3: 1"],
      ]);
    });

    it("accepts only suites with ECDHE and AES-GCM in TLS 1.2 (TLS-02, FAPI 2.0 5.2.2)", () => {
      const accepted = found.all("cipher").map(({ sslversion, cipher }) => `${sslversion} ${cipher}`);
      expect(accepted.toSorted()).to.deep.equal(SUITES);
    });

    it("agrees on keys in strong groups only (RFC 9325 4.2)", () => {
      const names = new Set(found.all("group").map(({ name }) => name));
      expect([...names].toSorted()).to.deep.equal(GROUPS);
    });

    it("proves itself with a P-256 key and SHA-256 (RFC 9325 4.5)", () => {
      expect(found.all("pk")).to.deep.equal([
        { error: "false", type: "EC", curve_name: "prime256v1", bits: "128" },
      ]);
      const signatures = found.all("connection-signature-algorithm").map(({ name }) => name);
      expect(new Set(signatures)).to.deep.equal(new Set(["ecdsa_secp256r1_sha256"]));
    });

    it("does not renegotiate, and is not vulnerable to Heartbleed (TLS-04, RFC 9325 3.5)", () => {
      expect(found.all("renegotiation").map(({ supported }) => supported)).to.deep.equal(["0"]);
      const vulnerable = found.all("heartbleed").map((version) => version.vulnerable);
      expect(vulnerable).to.deep.equal(["0", "0"]);
    });

    it("uses no compression, even for a client that asks for it (TLS-04, RFC 9325 3.3)", async () => {
      const { compressionMethod, extensions } = await askForCompression(listener.port);
      expect(compressionMethod).to.equal(0);
      expect(extensions).to.include(0xff01);
    });

    for (const version of ["TLSv1.2", "TLSv1.3"] as const)
      it(`resumes no session of ${version}, and so accepts no early data (TLS-04, TLS-12)`, async () => {
        const sessions: Buffer[] = [];
        const first = open({ maxVersion: version, minVersion: version });
        first.on("session", (session) => sessions.push(session));
        expect(await askWhetherResumed(first)).to.equal(false);
        const session = sessions.at(-1);
        const second = open({ maxVersion: version, minVersion: version, ...(session && { session }) });
        expect(await askWhetherResumed(second)).to.equal(false);
      });

    it("agrees on HTTP/1.1, and refuses a client that knows HTTP/2 alone (TLS-15, RFC 7301)", async () => {
      const both = open({ ALPNProtocols: ["h2", "http/1.1"] });
      await once(both, "secureConnect");
      expect(both.alpnProtocol).to.equal("http/1.1");
      both.destroy();
      const refused = await rejectionOf(once(open({ ALPNProtocols: ["h2"] }), "secureConnect"));
      expect(refused).to.have.property("code", "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");
    });

    it("sends no answer to plain HTTP (TLS-05)", async () => {
      const socket = connectPlainly(Number(listener.port), "localhost");
      const received: Buffer[] = [];
      socket.on("data", (chunk) => received.push(chunk)).on("error", () => undefined);
      socket.end("GET /cobs/2.0/my/accounts HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await once(socket, "close");
      expect(Buffer.concat(received).toString("latin1")).not.to.include("HTTP");
    });
  });
}

describe("Operator listeners", () => {
  it("are open on loopback only, where they need no TLS (TLS-05)", async () => {
    const { auth, resource } = await (await journeySandbox()).document();
    for (const { operator } of [auth, resource])
      expect(addressesListeningOn(portOf(operator)), operator).to.deep.equal(["127.0.0.1"]);
  });
});

/** One request, so that whatever a server sends after the handshake has come; whether it resumed a session. */
async function askWhetherResumed(socket: TLSSocket): Promise<boolean> {
  await once(socket, "secureConnect");
  const resumed = socket.isSessionReused();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  socket.resume();
  await once(socket, "close");
  return resumed;
}
