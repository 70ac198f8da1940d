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

for (const [kind, name] of PROXY_KINDS)
  describe(`Slow caller at ${name}`, function slow() {
    this.timeout(60_000);
    const limited = kind === "haproxy" ? "the headers" : "the handshake, and ten for the headers";
    let origin: RecordingOrigin;
    let proxy: RunningProxy;
    before(async () => {
      const certificates = await testCertificates();
      origin = await openRecordingOrigin(certificates, { answer: "x".repeat(ANSWER_OCTETS) });
      proxy = await startProxy(kind, { certificates, authApi: origin.port });
    });
    after(async () => {
      await proxy?.stop();
      await origin?.close();
    });

    async function begin(request: string): Promise<TLSSocket> {
      const ca = readFileSync((await testCertificates()).caFile);
      const socket = connect({ port: proxy.apiPort, host: "localhost", servername: "localhost", ca });
      await once(socket, "secureConnect");
      socket.write(request);
      return socket;
    }

    it("gets the whole answer, which waits in the service and on no disk", async () => {
      const socket = await begin("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      await delay(UNREAD_MILLISECONDS);
      expect((await buffer(socket)).length).to.be.above(ANSWER_OCTETS);
    });

    it("reaches the service once the headers are there, before the body has come", async () => {
      const headers = "Host: localhost\r\nX-Begun: here\r\nContent-Length: 2\r\n";
      const socket = await begin(`POST / HTTP/1.1\r\n${headers}\r\n{`);
      await eventually(() => origin.lastHeaders().some(([header]) => header.toLowerCase() === "x-begun"));
      socket.destroy();
    });

    it(`has ten seconds for ${limited}`, async () => {
      const halting = await begin("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ");
      const silent = kind === "haproxy" ? [] : [connectPlain(proxy.apiPort, "127.0.0.1")];
      const ends = Promise.all([halting, ...silent].map(ended));
      const first = await Promise.race([ends, delay(SILENT_SECONDS * 1_000)]);
      for (const each of [halting, ...silent]) each.destroy();
      expect(first).to.be.an("array");
    });
  });

async function ended(socket: Socket): Promise<void> {
  await once(socket.resume(), "close");
}
