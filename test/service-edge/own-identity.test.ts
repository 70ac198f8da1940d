import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { createPrivateClient, type PrivateClient, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import type { IssuedCertificate } from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import {
  issuePrivateCertificate,
  issueServerCertificate,
} from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa, type TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { followOwnIdentity, type OwnIdentity } from "../../packages/service-edge/src/tls/own-identity.ts";
import { eventually, until } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const RENEWED_BY_MILLISECONDS = 2_500;
const LEFT_BY_MILLISECONDS = 3_000;
const MESSAGE = { renewed: "certificate renewed", failed: "certificate not renewed; the old one stays" };

describe("Certificate with which a service calls others", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let ca: TestCa;
  let server: Server;
  let identity: OwnIdentity;
  let client: PrivateClient;
  let lines: readonly Record<string, unknown>[];
  let release: () => void;
  const files = () => ({
    certificateFile: join(folder.path, "client.pem"),
    keyFile: join(folder.path, "client.key"),
  });
  const shown: string[] = [];
  const connections: TLSSocket[] = [];

  const issue = (commonName = "resource", now = new Date()) =>
    issuePrivateCertificate(ca, { commonName, dnsNames: [], ipAddresses: [], purposes: ["clientAuth"] }, now);
  function write({ certificatePem, privateKeyPem }: IssuedCertificate): void {
    writeFileSync(files().certificateFile, certificatePem);
    writeFileSync(files().keyFile, privateKeyPem);
  }

  before(async () => {
    ca = await createTestCa(new Date());
    const name = { commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
    const { certificatePem: cert, privateKeyPem: key } = await issueServerCertificate(ca, name, new Date());
    const tls = { cert, key, ca: ca.private.certificatePem, requestCert: true, rejectUnauthorized: true };
    // Answers with what it was shown; and that it has begun to, when it is to take its time.
    server = createServer({ ...tls, keepAliveTimeout: 65_000 }, async ({ url, socket }, response) => {
      if (!(socket instanceof TLSSocket)) return;
      connections.push(socket);
      const { serialNumber } = socket.getPeerCertificate();
      if (url === "/slow") {
        response.write(" ");
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      response.end(serialNumber);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    const first = await issue();
    write(first);
    const pair = { certificate: first.certificatePem, key: new Secret(first.privateKeyPem), ...files() };
    const { log, lines: written } = readableLog();
    lines = written;
    identity = followOwnIdentity(
      { bankClient: pair, bankClientName: "resource" },
      { log, onCertificate: (pem) => shown.push(pem) },
    );
    const { port } = server.address() as AddressInfo;
    const base = new URL(`https://localhost:${port}`);
    const authority = ca.web.certificatePem;
    client = createPrivateClient({ service: "the other", base, authority, identity: identity.current });
  });
  afterEach(async () => {
    identity.stop();
    await client.close();
    folder.remove();
    shown.length = 0;
    connections.length = 0;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const seen = async () => (await client.get("/")).body;
  const linesThatSay = (message: string) => lines.filter(({ msg }) => msg === message);
  const isRenewed = () => until(() => linesThatSay(MESSAGE.renewed).length === 1, "it is renewed");

  it("is replaced soon after its files were, even on a connection in constant use", async () => {
    const former = await seen();
    // Its key is made by another thread, for which this one waits.
    const next = await issue();
    const waited = startWaiting();
    write(next);
    await until(async () => (await seen()) !== former, "the new one is shown");
    expect(waited()).to.be.below(RENEWED_BY_MILLISECONDS);
    expect(shown.at(-1)).to.equal(next.certificatePem);
    expect(linesThatSay(MESSAGE.failed)).to.have.length(0);
    const left = startWaiting();
    await eventually(() => connections[0]?.destroyed === true);
    expect(left(), "it is not closed as one that idles").to.be.below(LEFT_BY_MILLISECONDS);
    const now = connections.length;
    for (let call = 0; call < 10; call += 1) await seen();
    expect(new Set(connections.slice(now)).size, "they are kept").to.be.below(5);
  });

  it("lets calls under way on a former connection end when it is replaced", async () => {
    const former = await seen();
    const slow = client.get("/slow");
    await eventually(() => release !== undefined);
    write(await issue());
    await isRenewed();
    expect(await seen()).not.to.equal(former);
    release();
    expect((await slow).body.trim()).to.equal(former);
  });

  it("is not reported as renewed when it has not changed since the start", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(linesThatSay(MESSAGE.renewed)).to.have.length(0);
    expect(shown).to.have.length(1);
  });

  const unusable = {
    "without its key": {
      replace: async () => writeFileSync(files().keyFile, (await issue()).privateKeyPem),
      why: / does not belong to the first certificate in /,
    },
    "that has expired": {
      replace: async () => write(await issue("resource", new Date("2001-01-01"))),
      why: / and not now$/,
    },
    "of another name": {
      replace: async () => write(await issue("operator")),
      why: / must be resource, but is operator$/,
    },
    "that is incomplete": {
      replace: async () => writeFileSync(files().certificateFile, "-----BEGIN"),
      why: / holds no PEM certificate$/,
    },
  };
  for (const [which, { replace, why }] of Object.entries(unusable))
    it(`stays when the new one is one ${which}, which is logged once, until a good one comes`, async () => {
      const former = await seen();
      await replace();
      await until(() => linesThatSay(MESSAGE.failed).length === 1, "it is told");
      const [refused] = linesThatSay(MESSAGE.failed);
      expect(refused).to.include({ level: 50, certificate: "bank-client" });
      expect(refused).to.have.nested.property("error.message").that.matches(why);
      expect(await seen()).to.equal(former);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(linesThatSay(MESSAGE.failed)).to.have.length(1);
      write(await issue());
      await isRenewed();
      expect(await seen()).not.to.equal(former);
    });
});
