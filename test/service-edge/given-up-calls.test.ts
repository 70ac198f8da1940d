import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { createListenerApplication, createMetrics, type Listener, openTlsListener } from "@cobs/service-edge";
import { expect } from "chai";
import { createTestCa, type TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { eventually } from "../support/eventually.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Longer than anybody may have to wait. */
const LONG = 60_000;
const HALF_A_REQUEST = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{";

describe("Call whose caller disconnects", () => {
  const folder = temporaryFolder();
  const clock = movableClock();
  let ca: TestCa;
  let lines: readonly Record<string, unknown>[];
  let metrics: ReturnType<typeof createMetrics>;
  let listener: Listener;
  let plain: Socket;
  let socket: TLSSocket;
  /** How many have come to their handlers, which leave them there. */
  let hanging: number;

  const hang = (): Promise<never> => {
    hanging += 1;
    return new Promise(() => {});
  };

  before(async () => {
    ca = await createTestCa(new Date());
  });
  after(() => folder.remove());
  beforeEach(async () => {
    const readable = readableLog();
    lines = readable.lines;
    metrics = createMetrics("test");
    hanging = 0;
    const shared = { name: "test", log: readable.log };
    const application = createListenerApplication({
      ...shared,
      routes: [
        { method: "GET", path: "/hangs", handle: hang },
        { method: "POST", path: "/hangs", body: "json", handle: hang },
        {
          method: "GET",
          path: "/half",
          handOver: async (_request, response) => {
            response.writeHead(200, { "Content-Length": 10 }).write("half");
            await hang();
          },
        },
      ],
      hosts: ["localhost"],
      responses: "data",
      presentError: () => ({ answer: { status: 400 }, logFacts: {} }),
      metrics,
      clock,
    });
    let begun = 0;
    listener = await openTlsListener({
      ...shared,
      host: "127.0.0.1",
      port: 0,
      keyPair: await writeServerKeyPair(ca, folder.path, new Date()),
      clientCertificates: { kind: "never-asked" },
      presentProtocolError: () => "{}",
      handle: (request, response) => {
        begun += 1;
        application(request, response);
      },
    });
    hasBegun = () => begun > 0;
    plain = connectTcp(listener.port, "127.0.0.1");
    socket = connect({ socket: plain, servername: "localhost", ca: ca.web.certificatePem });
    socket.on("error", () => {});
    await once(socket, "secureConnect");
  });
  afterEach(() => listener.close(0));

  let hasBegun: () => boolean;
  const hangs = () => hanging > 0;

  /** How many calls were given up, once this one's caller has gone too. */
  async function givenUpWhenGone(): Promise<number> {
    plain.resetAndDestroy();
    await eventually(() => lines.at(-1)?.msg === "call");
    expect(lines.at(-1)).to.include({ status: 499 });
    const { body } = await metrics.present();
    return Number(/^http_requests_given_up_total\{.*\} (\d+)$/m.exec(body)?.[1] ?? 0);
  }

  for (const [milliseconds, count] of [
    [7_999, 0],
    [8_000, 1],
    [LONG, 1],
  ] as const)
    it(`is ${count === 0 ? "not " : ""}counted as given up after ${milliseconds} ms without an answer (EBA/GL/2018/07 2.4)`, async () => {
      socket.write("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await eventually(hangs);
      clock.advance(milliseconds);
      expect(await givenUpWhenGone()).to.equal(count);
    });

  for (const [milliseconds, count] of [
    [7_999, 0],
    [8_000, 1],
  ] as const)
    it(`is ${count === 0 ? "not " : ""}counted as given up ${milliseconds} ms after the end of a slow body`, async () => {
      socket.write(`POST /hangs HTTP/1.1\r\n${HALF_A_REQUEST}`);
      await eventually(() => hasBegun());
      clock.advance(LONG);
      socket.write("}");
      await eventually(hangs);
      clock.advance(milliseconds);
      expect(await givenUpWhenGone()).to.equal(count);
    });

  it("is not counted as given up before its request is complete, however long that took", async () => {
    socket.write(`POST /hangs HTTP/1.1\r\n${HALF_A_REQUEST}`);
    await eventually(() => hasBegun());
    clock.advance(LONG);
    expect(await givenUpWhenGone()).to.equal(0);
  });

  it("is not counted as given up while the answer comes, however slowly it is read", async () => {
    socket.write("GET /half HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    clock.advance(LONG);
    expect(await givenUpWhenGone()).to.equal(0);
  });
});
