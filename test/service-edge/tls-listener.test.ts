import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect as connectTcp, createServer, type Socket, type TcpNetConnectOpts } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import {
  type ClientCertificates,
  createListenerApplication,
  createMetrics,
  type Listener,
  openTlsListener,
  systemClock,
} from "@cobs/service-edge";
import { expect } from "chai";
import { issueServerCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa, type TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { createConnectionMetrics } from "../../packages/service-edge/src/metrics/connection-metrics.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { runScript } from "../support/run-script.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const TIME_LIMITS = {
  handshake: 1_000,
  headers: 300,
  request: 600,
  keepAlive: 60_000,
  stalled: 2_500,
  firstCall: 1_500,
};
// What is too slow is looked for once a second.
const CUT_BY_MILLISECONDS = 2_500;
/** One under way, and those that may wait. */
const MOST_CALLS = 9;
/** First octet of a TLS record with an alert (RFC 5246 6.2.1). */
const ALERT = 21;
/** A server, which is no caller. */
const STRANGER = { commonName: "stranger", dnsNames: ["stranger.test"], ipAddresses: [] };
const MORE_THAN_SOCKETS_HOLD = Buffer.alloc(64_000_000, "x");

describe("TLS listener", () => {
  const folder = temporaryFolder();
  const { log, lines } = readableLog();
  let ca: TestCa;
  let listener: Listener;
  let opened: Listener[];
  let metrics: ReturnType<typeof createMetrics>;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;

  before(async () => {
    ca = await createTestCa(new Date());
  });
  after(() => folder.remove());
  beforeEach(async () => {
    opened = [];
    handle = (_request, response) => void response.end("answer");
    listener = await open(TIME_LIMITS);
  });
  afterEach(() => Promise.all(opened.map((each) => each.close(0))));

  async function open(
    timeLimits: typeof TIME_LIMITS,
    clientCertificates: ClientCertificates = { kind: "never-asked" },
  ): Promise<Listener> {
    metrics = createMetrics("test");
    const listening = await openTlsListener({
      name: "test",
      host: "0.0.0.0",
      port: 0,
      keyPair: await writeServerKeyPair(ca, folder.path, new Date()),
      clientCertificates,
      presentProtocolError: (status) => JSON.stringify({ status }),
      log,
      timeLimits,
      connectionCount: createConnectionMetrics(metrics)("test"),
      handle: (request, response) => handle(request, response),
    });
    opened.push(listening);
    return listening;
  }

  async function openTls(ends: Partial<TcpNetConnectOpts & ConnectionOptions> = {}): Promise<TLSSocket> {
    const socket = connectTls({
      port: listener.port,
      host: "localhost",
      servername: "localhost",
      ca: ca.web.certificatePem,
      ...ends,
    });
    await once(socket, "secureConnect");
    return socket;
  }

  async function openTcp(): Promise<Socket> {
    const socket = connectTcp(listener.port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  }

  /** All that still comes, and after how many milliseconds the other side has ended it. */
  function endOf(socket: Socket): Promise<{ readonly text: string; readonly milliseconds: number }> {
    const waited = startWaiting();
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    // A reset is an end like any other.
    socket.on("error", () => {});
    return new Promise((resolve) => {
      socket.once("close", () => resolve({ text, milliseconds: waited() }));
    });
  }

  /** Of the one series of this name with these labels. */
  async function figureOf(name: string, labels = ""): Promise<number> {
    const { body } = await metrics.present();
    return Number(
      new RegExp(`^${name}\\{listener="test",${labels}service="test"\\} (\\d+)$`, "m").exec(body)?.[1],
    );
  }

  it("cuts a connection that never begins its handshake", async () => {
    const { milliseconds } = await endOf(await openTcp());
    expect(milliseconds).to.be.below(CUT_BY_MILLISECONDS);
    expect(lines.at(-1)).to.include({ msg: "handshake failed", code: "ERR_TLS_HANDSHAKE_TIMEOUT" });
    expect(await figureOf("tls_handshakes_failed_total")).to.equal(1);
  });

  it("logs why it does not accept a caller's certificate, where one is required: the caller is told nothing", async () => {
    const authorities = () => [ca.private.certificatePem];
    const choosy = await open(TIME_LIMITS, { kind: "required", authorities });
    const { chainPem: cert, privateKeyPem: key } = await issueServerCertificate(ca, STRANGER, new Date());
    await endOf(await openTls({ port: choosy.port, cert, key }));
    expect(lines.at(-1)).to.include({ msg: "handshake failed", code: "INVALID_PURPOSE" });
    expect(await figureOf("tls_handshakes_failed_total")).to.equal(1);
  });

  it("cuts a connection that stops within its handshake", async () => {
    const socket = await openTcp();
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]));
    expect((await endOf(socket)).milliseconds).to.be.below(CUT_BY_MILLISECONDS);
  });

  for (const [what, bytes] of [
    ["nothing", ""],
    ["half a header", "GET / HTTP/1.1\r\nHost: loc"],
    ["a body that does not end", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"],
  ] as const) {
    it(`cuts a caller that sends ${what}, soon after its time is over (RFC 9110 section 15.5.9)`, async () => {
      handle = (request) => void request.resume();
      const socket = await openTls();
      if (bytes !== "") socket.write(bytes);
      const { text, milliseconds } = await endOf(socket);
      expect(text).to.match(/^HTTP\/1\.1 408 /);
      // RFC 9110 section 6.6.1.
      expect(text).to.match(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
      expect(milliseconds).to.be.below(CUT_BY_MILLISECONDS);
    });
  }

  for (const [what, bytes, status, code] of [
    ["an unknown method", "FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "HPE_INVALID_METHOD"],
    ["a version that is none", "GET / HTTP/9\r\nHost: localhost\r\n\r\n", 400, "HPE_INVALID_VERSION"],
    ["a header of 20 kB", `GET / HTTP/1.1\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431, "HPE_HEADER_OVERFLOW"],
    ["half a header", "GET / HTTP/1.1\r\n", 408, "ERR_HTTP_REQUEST_TIMEOUT"],
  ] as const)
    it(`logs and counts that ${what} was answered with ${status}, although it becomes no call`, async () => {
      for (const each of [400, 408, 431])
        expect(await figureOf("http_protocol_errors_total", `status="${each}",`), String(each)).to.equal(0);
      const socket = await openTls();
      socket.write(bytes);
      expect((await endOf(socket)).text).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(lines.at(-1)).to.include({ listener: "test", status, code });
      expect(await figureOf("http_protocol_errors_total", `status="${status}",`)).to.equal(1);
    });

  for (const [what, framing, sent, status] of [
    ["whose body is late", "Content-Length: 9", "{", 408],
    ["with a chunk that has no size", "Transfer-Encoding: chunked", "none\r\n", 400],
  ] as const)
    it(`counts a call ${what} under the status that was sent (RFC 9110 section 15.5)`, async () => {
      handle = createListenerApplication({
        name: "test",
        routes: [{ method: "POST", path: "/things", body: "json", handle: async () => ({ status: 201 }) }],
        hosts: ["localhost"],
        responses: "data",
        presentError: () => ({ answer: { status: 500 }, logFacts: {} }),
        log,
        metrics,
        clock: systemClock,
      });
      const socket = await openTls();
      socket.write(
        `POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n${sent}`,
      );
      expect((await endOf(socket)).text).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      await eventually(() => lines.at(-1)?.msg === "call");
      expect(lines.at(-1)).to.include({ route: "/things", status });
      const labels = `route="/things",method="POST",status="${status}",`;
      expect(await figureOf("http_requests_total", labels)).to.equal(1);
    });

  it("cuts a caller that does not read its answer, but none whose answer takes long to be made", async () => {
    const ended = new Promise<void>((resolve) => {
      handle = (request, response) => {
        if (request.url !== "/") return void ended.then(() => setTimeout(() => response.end("late"), 600));
        response.once("close", resolve);
        response.end(MORE_THAN_SOCKETS_HOLD);
      };
    });
    const [unread, patient] = [await openTls(), await openTls()];
    const answered = endOf(patient);
    unread.on("error", () => {});
    unread.pause();
    unread.write(REQUEST);
    patient.write(REQUEST.replace("/", "/long").replace("HTTP/1.1\r\n", "HTTP/1.1\r\nConnection: close\r\n"));
    await ended;
    unread.destroy();
    expect((await answered).text).to.match(/late$/);
  });

  it("announces for how many seconds an idle connection is kept, so that a caller can close it first", async () => {
    const socket = await openTls();
    socket.write(REQUEST);
    const [answer]: Buffer[] = await once(socket, "data");
    expect(answer?.toString("latin1")).to.include(
      `\r\nKeep-Alive: timeout=${TIME_LIMITS.keepAlive / 1_000}\r\n`,
    );
    socket.destroy();
  });

  it("refuses what could be read as two requests, even if Node.js is told to take it (RFC 9112 section 6.1)", async () => {
    const run = await runScript("test/service-edge/ambiguous-request.ts", [], {
      NODE_OPTIONS: "--insecure-http-parser",
    });
    expect(run.exitCode, run.stderr).to.equal(0);
    expect(run.stdout).to.match(/^HTTP\/1\.1 400 /);
    expect(run.stdout).not.to.include("answer");
  });

  it("sends no error for broken bytes while an earlier answer is awaited (RFC 9112 section 9.3)", async () => {
    handle = (_request, response) => void setTimeout(() => response.end("late"), 50);
    const socket = await openTls();
    socket.write(`${REQUEST}GARBAGE\r\n\r\n`);
    expect((await endOf(socket)).text).not.to.include("400");
  });

  describe("with calls sent before earlier ones are answered (RFC 9112 section 9.3.2)", () => {
    /** The calls that were begun, each with its way to end. */
    let begun: (() => void)[];
    beforeEach(() => {
      begun = [];
      handle = (request, response) => void begun.push(() => response.end(`answer to ${request.url};`));
    });

    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) => REQUEST.replace("/", `/${index}`)).join("");
    const answerNext = async () => {
      await eventually(() => begun.length > 0);
      begun.shift()?.();
    };

    it("handles one call of a connection at a time, and answers them in order", async () => {
      const socket = await openTls();
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
      });
      socket.write(calls(MOST_CALLS));
      for (let index = 0; index < MOST_CALLS; index += 1) {
        await eventually(() => begun.length === 1);
        await answerNext();
        await eventually(() => text.includes(`answer to /${index};`));
      }
      socket.write(REQUEST);
      await answerNext();
      await eventually(() => text.includes("answer to /;"));
      socket.destroy();
    });

    it("cuts a connection on which too many wait, and begins none of these", async () => {
      const socket = await openTls();
      const end = endOf(socket);
      socket.write(calls(MOST_CALLS + 1));
      expect((await end).text).to.equal("");
      expect(begun).to.have.length(1);
      expect(lines.at(-1)).to.include({
        msg: "too many calls are waiting on a connection",
        listener: "test",
      });
      begun[0]?.();
    });

    it("begins no waiting call on a connection that ends with an answer", async () => {
      const socket = await openTls();
      const end = endOf(socket);
      socket.write(calls(3));
      await eventually(() => begun.length === 1);
      listener.drain();
      await answerNext();
      expect((await end).text).to.match(/^HTTP\/1\.1 200 .*Connection: close.*answer to \/0;$/s);
      expect(begun).to.be.empty;
    });

    it("begins no waiting call on a connection whose caller has gone", async () => {
      const socket = await openTls();
      socket.write(calls(3));
      await eventually(() => begun.length === 1);
      socket.destroy();
      const other = await openTls();
      other.write(REQUEST);
      await eventually(() => begun.length === 2);
      for (const answer of begun) answer();
      await once(other, "data");
      expect(begun).to.have.length(2);
      other.destroy();
    });
  });

  describe("that drains", () => {
    it("accepts calls, and announces with each answer that the connection ends (RFC 9112 9.6)", async () => {
      const before = await openTls();
      before.write(REQUEST);
      expect(String((await once(before, "data"))[0])).to.include("keep-alive");
      listener.drain();
      for (const socket of [before, await openTls()]) {
        const end = endOf(socket);
        socket.write(REQUEST);
        expect((await end).text).to.match(/^HTTP\/1\.1 200 .*Connection: close.*answer$/s);
      }
    });
  });

  describe("that is closed", () => {
    it("lets the running call end, announces the end of the connection, and accepts no other", async () => {
      const started = new Promise<() => void>((resolve) => {
        handle = (_request, response) => resolve(() => void response.end("answer"));
      });
      const socket = await openTls();
      socket.write(REQUEST);
      const answer = await started;
      const closed = listener.close(60_000);
      const end = endOf(socket);
      answer();
      expect((await end).text).to.match(/^HTTP\/1\.1 200 .*Connection: close.*answer$/s);
      await closed;
    });

    it("does not wait for a connection that has had its calls", async () => {
      const socket = await openTls();
      socket.write(REQUEST);
      await once(socket, "data");
      const end = endOf(socket);
      const waited = startWaiting();
      await listener.close(60_000);
      await end;
      expect(waited()).to.be.below(1_000);
    });

    it("answers the first call of a connection that was opened just before", async () => {
      const handshake = await openTcp();
      const idle = await openTls();
      const closed = listener.close(60_000);
      const socket = connectTls({ socket: handshake, servername: "localhost", ca: ca.web.certificatePem });
      for (const each of [socket, idle]) {
        each.write(REQUEST);
        expect((await endOf(each)).text).to.match(/^HTTP\/1\.1 200 .*Connection: close.*answer$/s);
      }
      await closed;
    });

    it("waits only so long for the first call of a connection", async () => {
      const ends = [await openTcp(), await openTls()].map(endOf);
      const waited = startWaiting();
      await listener.close(60_000);
      await Promise.all(ends);
      expect(waited()).to.be.below(CUT_BY_MILLISECONDS);
    });

    it("does not wait for the first call of a connection that has had enough time for it", async () => {
      await listener.close(0);
      listener = await open({ ...TIME_LIMITS, headers: 60_000, request: 60_000, firstCall: 100 });
      const idle = await openTls();
      await delay(200);
      const end = endOf(idle);
      const waited = startWaiting();
      await listener.close(60_000);
      await end;
      expect(waited()).to.be.below(1_000);
    });

    it("ends both connections of a caller that uses one port for two of the listener's addresses", async () => {
      const localAddress = "127.0.0.1";
      const one = await openTls({ host: "127.0.0.1", localAddress });
      const { localPort = 0 } = one;
      const other = await openTls({ host: "127.0.0.2", localAddress, localPort });
      for (const socket of [one, other]) {
        socket.write(REQUEST);
        await once(socket, "data");
      }
      const ends = [one, other].map(endOf);
      await listener.close(60_000);
      await Promise.all(ends);
    });

    it("sends a TLS alert on a connection without a call (RFC 5246 7.2.1)", async () => {
      const records: Buffer[] = [];
      const relayed: Socket[] = [];
      const relay = createServer((near) => {
        const far = connectTcp(listener.port, "127.0.0.1").on("data", (chunk) => void records.push(chunk));
        near.pipe(far).pipe(near);
        relayed.push(near, far);
      });
      await once(relay.listen(0, "127.0.0.1"), "listening");
      const address = relay.address();
      const port = typeof address === "object" ? address?.port : undefined;
      const socket = connectTls({
        port,
        host: "localhost",
        ca: ca.web.certificatePem,
        maxVersion: "TLSv1.2",
      });
      await once(socket, "secureConnect");
      socket.write(REQUEST);
      await once(socket, "data");
      records.length = 0;
      const end = endOf(socket);
      await listener.close(60_000);
      await end;
      relay.close();
      for (const socket of relayed) socket.destroy();
      expect(Buffer.concat(records)[0]).to.equal(ALERT);
    });

    it("begins no call that comes after its connection has ended (RFC 9112 9.6)", async () => {
      let begun = 0;
      handle = (_request, response) => {
        begun += 1;
        response.end("answer");
      };
      const socket = await openTls({ allowHalfOpen: true });
      socket.write(REQUEST);
      await once(socket, "data");
      const closed = listener.close(60_000);
      await once(socket, "end");
      socket.write(REQUEST);
      await closed;
      socket.destroy();
      expect(begun).to.equal(1);
    });

    it("cuts a call that outlasts the limit", async () => {
      handle = () => {};
      const socket = await openTls();
      socket.write(REQUEST);
      const end = endOf(socket);
      await listener.close(100);
      expect((await end).text).to.equal("");
    });
  });
});
