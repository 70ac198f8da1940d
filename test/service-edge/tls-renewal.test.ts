import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type TLSSocket } from "node:tls";
import {
  createMetrics,
  type KeyPairFiles,
  type Listener,
  openTlsListener,
  type PresentedCertificate,
  type ProcessMetrics,
  presentedCertificate,
} from "@cobs/service-edge";
import { expect } from "chai";
import {
  type IssuedCertificate,
  issueCertificate,
} from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import { createTestCa, type TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { daysAround } from "../../packages/sandbox/src/certificates/validity.ts";
import { createOwnCertificateMetrics } from "../../packages/service-edge/src/metrics/own-certificate-metrics.ts";
import { eventually, until } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const LONG_AGO = new Date("2001-01-01");
const RENEWED_BY_MILLISECONDS = 2_500;
const MESSAGE = { renewed: "TLS context renewed", failed: "TLS context not renewed; the old one stays" };

/** What the server knows of the certificate of a connection. */
interface Seen {
  readonly issuers: number;
  readonly verdict: string | null;
}

describe("TLS context of an open listener", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let ca: TestCa;
  let caller: IssuedCertificate;
  let keyPair: KeyPairFiles;
  let listener: Listener;
  let authorities: readonly string[];
  let lines: Record<string, unknown>[];
  let metrics: ProcessMetrics;
  const open: TLSSocket[] = [];
  const presented: (PresentedCertificate | undefined)[] = [];

  before(async () => {
    const now = new Date();
    ca = await createTestCa(now);
    caller = await issueCertificate(ca.qtspIssuing, {
      subject: [{ oid: "2.5.4.3", value: "caller" }],
      validity: daysAround(now, { fromDays: -1, untilDays: 1 }),
      extensions: [],
    });
  });
  async function openListener(): Promise<Listener> {
    const { log, lines: written } = readableLog();
    lines = written;
    metrics = createMetrics("test");
    return openTlsListener({
      name: "test",
      host: "127.0.0.1",
      port: 0,
      keyPair,
      clientCertificates: { kind: "requested", authorities: () => authorities },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log,
      onCertificate: createOwnCertificateMetrics(metrics, log)("test"),
      handle: answerWithWhatIsSeen,
    });
  }

  beforeEach(async () => {
    folder = temporaryFolder();
    authorities = [ca.private.certificatePem];
    keyPair = await writeServerKeyPair(ca, folder.path, new Date());
    listener = await openListener();
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    presented.length = 0;
    await listener.close(0);
    folder.remove();
  });

  function answerWithWhatIsSeen({ socket }: IncomingMessage, response: ServerResponse): void {
    const shown = presentedCertificate(socket);
    presented.push(shown);
    const seen = { issuers: shown?.intermediates.length, verdict: shown?.tlsVerdict ?? null };
    response.end(JSON.stringify(seen));
  }

  async function connectWith(cert = caller.certificatePem): Promise<TLSSocket> {
    const socket = connect({
      port: listener.port,
      host: "127.0.0.1",
      servername: "localhost",
      ca: ca.web.certificatePem,
      cert,
      key: caller.privateKeyPem,
    });
    open.push(socket);
    await once(socket, "secureConnect");
    return socket;
  }

  async function ask(socket: TLSSocket): Promise<Seen> {
    socket.write(REQUEST);
    const [answer] = await once(socket, "data");
    return JSON.parse(String(answer).split("\r\n\r\n")[1] ?? "");
  }

  const messageOf = (error: unknown) => String((error as { message?: unknown } | undefined)?.message);
  const verdictOfNewConnection = async () => (await ask(await connectWith())).verdict;
  const linesThatSay = (message: string) => lines.filter(({ msg }) => msg === message).length;

  it("trusts an added authority soon, on new connections", async () => {
    const before = await connectWith();
    expect((await ask(before)).verdict).to.equal("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    const waited = startWaiting();
    authorities = [...authorities, ca.qtspIssuing.certificatePem, ca.qtspRoot.certificatePem];
    await until(async () => (await verdictOfNewConnection()) === null, "the authority is believed");
    expect(waited()).to.be.below(RENEWED_BY_MILLISECONDS);
    expect((await ask(before)).verdict, "an open connection").to.equal("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
  });

  it("stops trusting a removed authority soon, and cuts no connection", async () => {
    authorities = [ca.qtspIssuing.certificatePem, ca.qtspRoot.certificatePem];
    await until(async () => (await verdictOfNewConnection()) === null, "the authority is believed");
    const before = await connectWith();
    authorities = [ca.private.certificatePem];
    await until(async () => (await verdictOfNewConnection()) !== null, "the authority is not believed");
    expect((await ask(before)).verdict, "an open connection").to.equal(null);
  });

  it("reports the end of the certificate in use, not of one in unusable files", async () => {
    const told = async () =>
      / (\d+)$/m.exec((await metrics.present()).body.replaceAll(/^(?!own_).*$/gm, ""))?.[1];
    const endOfFile = () => {
      const { validTo } = new X509Certificate(readFileSync(keyPair.certificateFile));
      return String(Date.parse(validTo) / 1000);
    };
    const first = endOfFile();
    expect(await told()).to.equal(first);
    await writeServerKeyPair(ca, folder.path, new Date(Date.now() + 86_400_000));
    const renewedKey = readFileSync(keyPair.keyFile);
    writeFileSync(keyPair.keyFile, "half a key");
    await until(() => linesThatSay(MESSAGE.failed) === 1, "the pair is refused");
    const [refused] = lines.filter(({ msg }) => msg === MESSAGE.failed);
    expect(refused?.error).to.have.property("message").that.includes(`the file ${keyPair.keyFile} holds no`);
    expect(await told()).to.equal(first);
    writeFileSync(keyPair.keyFile, renewedKey);
    await until(() => linesThatSay(MESSAGE.renewed) === 1, "the context is renewed");
    expect(await told()).to.equal(endOfFile());
    expect(endOfFile()).not.to.equal(first);
  });

  it("is renewed once for each change, and not without one", async () => {
    authorities = [ca.qtspRoot.certificatePem];
    await until(() => linesThatSay(MESSAGE.renewed) === 1, "the context is renewed");
    authorities = [ca.qtspRoot.certificatePem];
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(linesThatSay(MESSAGE.renewed)).to.equal(1);
  });

  it("shows a renewed key pair soon after its files were replaced", async () => {
    const serial = async () => (await connectWith()).getPeerCertificate().serialNumber;
    const first = await serial();
    await writeServerKeyPair(ca, folder.path, new Date());
    await until(async () => (await serial()) !== first, "the new certificate is shown");
  });

  const keys = {
    "a wrong one of its algorithm": () => caller.privateKeyPem,
    "a wrong one of another algorithm": () =>
      generateKeyPairSync("rsa", {
        modulusLength: 2048,
        publicKeyEncoding: { type: "spki", format: "pem" },
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
      }).privateKey,
  };
  for (const [which, keyOf] of Object.entries(keys))
    it(`stays while the certificate has ${which} for its key, logs that once, and is renewed later`, async () => {
      const other = `${keyPair.keyFile}.other`;
      writeFileSync(other, keyOf());
      renameSync(other, keyPair.keyFile);
      await until(() => linesThatSay(MESSAGE.failed) === 1, "the renewal fails");
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(linesThatSay(MESSAGE.failed)).to.equal(1);
      expect(await verdictOfNewConnection()).to.be.a("string");
      await writeServerKeyPair(ca, folder.path, new Date());
      await until(() => linesThatSay(MESSAGE.renewed) === 1, "the context is renewed");
    });

  it("stays when the renewed certificate has expired, logs that, and is renewed by a good one", async () => {
    const serial = async () => (await connectWith()).getPeerCertificate().serialNumber;
    const first = await serial();
    await writeServerKeyPair(ca, folder.path, LONG_AGO);
    const saysSo = ({ msg, error }: Record<string, unknown>) =>
      msg === MESSAGE.failed && messageOf(error).endsWith(" and not now");
    await until(() => lines.some(saysSo), "the renewal fails");
    expect(messageOf(lines.find(saysSo)?.error)).to.include(
      `the certificate in ${keyPair.certificateFile} is valid`,
    );
    expect(await serial()).to.equal(first);
    await writeServerKeyPair(ca, folder.path, new Date());
    await until(async () => (await serial()) !== first, "the good one is shown");
  });

  it("trusts new authorities even when its own certificate has expired", async () => {
    await listener.close(0);
    await writeServerKeyPair(ca, folder.path, LONG_AGO);
    listener = await openListener();
    authorities = [ca.qtspRoot.certificatePem];
    await until(() => linesThatSay(MESSAGE.renewed) === 1, "the authority is believed");
    expect(linesThatSay(MESSAGE.failed)).to.equal(0);
  });

  it("is logged at the start as refused by everybody when its certificate has expired", async () => {
    const { log, lines: said } = readableLog();
    const past = await writeServerKeyPair(ca, folder.path, LONG_AGO);
    createOwnCertificateMetrics(createMetrics("test"), log)("browser")(
      readFileSync(past.certificateFile, "utf8"),
    );
    expect(said).to.have.length(1);
    expect(said[0]).to.include({
      level: 50,
      certificate: "browser",
      msg: "this service presents a certificate that others refuse",
    });
    expect(said[0]?.detail).to.match(/^it is valid from \S+ to \S+, and not now$/);
  });

  it("causes a warning when its certificate ends within fourteen days, repeated as long as it is shown", async () => {
    const { log, lines: said } = readableLog();
    const show = createOwnCertificateMetrics(createMetrics("test"), log, 20)("browser");
    const showOf = async (daysAgo: number) => {
      const made = new Date(Date.now() - daysAgo * 86_400_000);
      show(readFileSync((await writeServerKeyPair(ca, folder.path, made)).certificateFile, "utf8"));
    };
    await showOf(380);
    expect(said).to.deep.equal([]);
    await showOf(384);
    await eventually(() => said.length > 2);
    expect(said[0]).to.include({
      level: 40,
      certificate: "browser",
      msg: "this service presents a certificate that others will soon refuse",
    });
    expect(said[0]?.detail).to.match(/^it is valid until \S+$/);
    expect(said[1]?.detail).to.equal(said[0]?.detail);
  });

  describe("with the certificate of a caller", () => {
    it("gives the issuers that were sent along", async () => {
      const chain = [caller, ca.qtspIssuing, ca.qtspRoot].map(({ certificatePem }) => certificatePem);
      expect((await ask(await connectWith(chain.join("\n")))).issuers).to.equal(2);
      expect((await ask(await connectWith())).issuers).to.equal(0);
    });

    it("gives one object for all requests of a connection, so that results can be remembered", async () => {
      const socket = await connectWith();
      await ask(socket);
      await ask(socket);
      expect(presented).to.have.length(2);
      expect(presented[0]).to.equal(presented[1]).and.not.equal(undefined);
    });
  });
});
