import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { PROXY_KINDS, type RunningProxy, startProxy } from "./proxy-stand.ts";
import { openRecordingOrigin, type RecordingOrigin } from "./recording-origin.ts";

/** More than the machine takes for a caller who does not read. */
const ANSWER_OCTETS = 24_000_000;
const UNREAD_MILLISECONDS = 500;
/** More than the ten that a caller has, and what a busy machine adds. */
const SILENT_SECONDS = 15;

describe("Slow caller", function slow() {
  this.timeout(120_000);
  let origin: RecordingOrigin;
  /** All at once, because each lets callers be silent for as long as the others. */
  const proxies = new Map<string, RunningProxy>();
  /** The ends of the connections of those who are. */
  const silences = new Map<string, Promise<unknown>>();
  before(async () => {
    const certificates = await testCertificates();
    origin = await openRecordingOrigin(certificates, { answer: "x".repeat(ANSWER_OCTETS) });
    const start = async ([kind]: (typeof PROXY_KINDS)[number]) => {
      const proxy = await startProxy(kind, { certificates, authApi: origin.port });
      proxies.set(kind, proxy);
      const silent: Socket[] = [await begin(proxy, "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ")];
      if (kind !== "haproxy") silent.push(connectPlain(proxy.apiPort, "127.0.0.1"));
      const silence = endOf(silent);
      silences.set(kind, silence);
      // It is looked at only in the end.
      silence.catch(() => undefined);
    };
    await Promise.all(PROXY_KINDS.map(start));
  });
  after(async () => {
    await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
    await origin?.close();
  });

  async function begin({ apiPort }: RunningProxy, request: string): Promise<TLSSocket> {
    const ca = readFileSync((await testCertificates()).caFile);
    const socket = connect({ port: apiPort, host: "localhost", servername: "localhost", ca });
    await once(socket, "secureConnect");
    socket.write(request);
    return socket;
  }

  for (const [kind, name] of PROXY_KINDS) {
    const proxyOfKind = () => proxies.get(kind) ?? expect.fail("it has not started");

    it(`gets the whole answer at ${name}, which waits in the service and on no disk`, async () => {
      const socket = await begin(
        proxyOfKind(),
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      );
      await delay(UNREAD_MILLISECONDS);
      expect((await buffer(socket)).length).to.be.above(ANSWER_OCTETS);
    });

    it(`reaches the service behind ${name} once the headers are there, before the body has come`, async () => {
      const headers = `Host: localhost\r\nX-Begun: ${kind}\r\nContent-Length: 2\r\n`;
      const socket = await begin(proxyOfKind(), `POST / HTTP/1.1\r\n${headers}\r\n{`);
      const hasBegun = ([header, value]: readonly [string, string]) =>
        header.toLowerCase() === "x-begun" && value === kind;
      await eventually(() => origin.lastHeaders().some(hasBegun));
      socket.destroy();
    });
  }

  for (const [kind, name] of PROXY_KINDS) {
    const limited = kind === "haproxy" ? "the headers" : "the handshake, and ten for the headers";
    it(`has ten seconds at ${name} for ${limited}`, async () => {
      expect(await silences.get(kind)).to.be.an("array");
    });
  }
});

/** Undefined if one of them is open for longer than it may. */
function endOf(silent: readonly Socket[]): Promise<unknown> {
  return Promise.race([Promise.all(silent.map(ended)), delay(SILENT_SECONDS * 1_000)]).finally(() => {
    for (const each of silent) each.destroy();
  });
}

async function ended(socket: Socket): Promise<void> {
  await once(socket.resume(), "close");
}
