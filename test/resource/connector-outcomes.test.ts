import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { parseAccountId, parseCurrencyCode, parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import { CoreUnavailable } from "../../packages/resource/src/bank/core-unavailable.ts";
import { openCoreExchange } from "../../packages/resource/src/bank/http-connector/core-exchange.ts";
import { rejectionOf } from "../support/rejection.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { connectCore, TEST_LIMIT_MILLISECONDS } from "./connector/connect-core.ts";
import { SAMPLE_ACCOUNTS } from "./connector/sample-answers.ts";
import {
  answering,
  type Behaviour,
  type ScriptedCore,
  startScriptedCore,
  UNBOUNDED,
} from "./connector/scripted-core.ts";

const PSU = parsePsuId("anna");
const OF = { psu: PSU, account: parseAccountId("a1") };
/** Beside the time limit, for a machine that has other work. */
const SLACK_MILLISECONDS = 1_000;
/** For what a busy machine may take long for, which is no time that anybody waits. */
const PATIENCE_MILLISECONDS = 20_000;

/** A whole answer, as it is written: Anna has no accounts. */
const NO_ACCOUNTS =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 33\r\n\r\n{"psuId": "anna", "accounts": []}';

/** The most that an answer has, and its header fields (contract, clause 1.3 and the table of failures). */
const MOST_OCTETS = 2_097_152;
const MOST_OCTETS_OF_HEADERS = 16_384;

/** That Anna has no accounts, in so many octets, with so many in a header field that nobody reads. */
const inOctets =
  (octets: number, ofField = 0): Behaviour =>
  (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "X-Unread": "x".repeat(ofField) });
    response.end('{"psuId": "anna", "accounts": []}'.padEnd(octets));
  };

/** What a core system does instead of answering, and what that is called; where it matters, how the log puts it. */
const FAILURES: readonly (readonly [string, Behaviour, string, detail?: string])[] = [
  ["never answers", () => undefined, "core_timed_out"],
  ["stalls after its headers", (_, response) => response.writeHead(200).flushHeaders(), "core_timed_out"],
  ["stalls in the middle of its answer", (_, response) => void response.write("{"), "core_timed_out"],
  ["sends its answer drop by drop", dripping, "core_timed_out"],
  ["sends interim answers without end", endlessInterim, "core_timed_out"],
  [
    "closes without an answer",
    (request) => void request.socket.end(),
    "core_unreachable",
    "it ended its connection without an answer",
  ],
  [
    "sends 100 Continue before its answer, which nobody asked for (1.1)",
    ({ socket }) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${NO_ACCOUNTS}`),
    "core_unreachable",
    "it began its answer with 100 Continue (clause 1.1)",
  ],
  [
    "switches to another protocol",
    ({ socket }) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
    "core_unreachable",
    "it switched to another protocol",
  ],
  ["cuts its answer in the middle", cutting, "answer_cut"],
  [
    "announces more than it sends",
    (request, response) => {
      response.writeHead(200, { "Content-Length": 1_000 });
      response.write("{", () => request.socket.end());
    },
    "answer_cut",
    "it ended its connection midway",
  ],
  ["floods without end", flooding, "answer_too_large"],
  [
    "announces and sends 100 MB",
    (_, response) => {
      response.writeHead(200, { "Content-Length": 104_857_600 });
      pour(response);
    },
    "answer_too_large",
  ],
  ["answers with an octet more than 2 MiB", inOctets(MOST_OCTETS + 1), "answer_too_large"],
  ["has more than 16 KiB of header fields", inOctets(100, MOST_OCTETS_OF_HEADERS), "answer_too_large"],
  [
    "floods after a refusal",
    (_, response) => {
      response.writeHead(404, { "Content-Type": "application/problem+json" });
      pour(response);
    },
    "answer_too_large",
  ],
  [
    "sends headers without end",
    (request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\n${`x-${"y".repeat(1_000)}: z\r\n`.repeat(100)}`);
    },
    "answer_too_large",
  ],
  [
    "cuts its answer between two chunks",
    ({ socket }) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"),
    "answer_cut",
  ],
  [
    "cuts its answer in a chunk, and has said that it would close",
    ({ socket }) =>
      socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"),
    "answer_cut",
  ],
  [
    "cuts an answer that ends where its connection does",
    ({ socket }) => socket.end(`${UNBOUNDED}{"psuId": "psu-1", "accounts": [{"id": "a`),
    "answer_cut",
  ],
  [
    "ends its connection after the header fields of such an answer",
    ({ socket }) => socket.end(UNBOUNDED),
    "answer_cut",
  ],
  [
    "sends such an answer complete, but wrong",
    ({ socket }) => socket.end(`${UNBOUNDED}{,}\n`),
    "answer_malformed",
  ],
  [
    "does not speak HTTP",
    (request) => void request.socket.end("hello\r\n\r\n"),
    "answer_broken",
    "it is not HTTP: Expected HTTP/, RTSP/ or ICE/",
  ],
  [
    "sends a malformed header field after a length",
    ({ socket }) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nnot a field\r\n\r\n{}"),
    "answer_broken",
  ],
  [
    "announces two different lengths",
    ({ socket }) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
    "answer_broken",
    "it is not HTTP: its header fields are malformed, or name its length twice",
  ],
  [
    "announces a length of what it sends in chunks",
    ({ socket }) =>
      socket.write(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
      ),
    "answer_broken",
    "it is not HTTP: Content-Length can't be present with Transfer-Encoding",
  ],
  [
    "sends a malformed chunk",
    ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n");
      setImmediate(() => socket.write("zz\r\n"));
    },
    "answer_cut",
    "Invalid character in chunk size",
  ],
  ["answers 204", status(204), "answer_status"],
  ["answers 206", status(206), "answer_status"],
  ["redirects for ever (301)", redirect(301), "answer_status"],
  ["redirects (302)", redirect(302), "answer_status"],
  ["redirects (307)", redirect(307), "answer_status"],
  ["says that nothing has changed (304)", status(304), "answer_status"],
  ["does not know this service (401)", status(401), "answer_refused"],
  ["does not let this service in (403)", status(403), "answer_refused"],
  ["has no such path (404 without a code)", status(404), "answer_status"],
  ["refuses the question (400 without a code)", status(400), "answer_status"],
  ["refuses with a code of another question", answering({ code: "currency_unknown" }, 400), "answer_status"],
  ["refuses with a code at another status", answering({ code: "account_unknown" }, 400), "answer_status"],
  ["fails (500)", status(500), "answer_status"],
  ["fails behind its gateway (502)", status(502), "answer_status"],
  ["times out at its gateway (504)", status(504), "answer_status"],
  ["is overloaded (429)", status(429), "answer_throttled"],
  ["is being repaired (503)", status(503), "answer_throttled"],
];

describe("a core system that misbehaves", () => {
  let core: ScriptedCore;
  before(async () => {
    core = await startScriptedCore();
  });
  after(() => core.die());

  /** The refusal of one question, which came in time: also where it might have waited for longer. */
  async function refusalBy(url: URL, timeoutMilliseconds = PATIENCE_MILLISECONDS): Promise<CoreUnavailable> {
    const connected = await connectCore(url, { timeoutMilliseconds });
    const waited = startWaiting();
    const refusal = await rejectionOf(connected.bank.accountsOf(PSU));
    expect(waited()).to.be.below(TEST_LIMIT_MILLISECONDS + SLACK_MILLISECONDS);
    await connected.close();
    if (!(refusal instanceof CoreUnavailable)) throw refusal;
    return refusal;
  }

  const codeOf = async (url: URL, timeoutMilliseconds?: number): Promise<string> =>
    (await refusalBy(url, timeoutMilliseconds)).code;

  for (const [what, behaviour, code, detail] of FAILURES) {
    it(`${what}: reported as ${code} in time`, async () => {
      core.behave(behaviour);
      const isLate = code === "core_timed_out";
      const refusal = await refusalBy(core.url, isLate ? TEST_LIMIT_MILLISECONDS : undefined);
      expect(refusal.code).to.equal(code);
      if (detail !== undefined) expect(refusal.detail).to.equal(detail);
    });
  }

  for (const interim of ["102 Processing", "103 Early Hints\r\nLink: </a>; rel=preload"])
    it(`has its final answer read after interim ones (${interim.slice(0, 3)}, RFC 9110 15.2)`, async () => {
      core.behave(({ socket }) => void socket.write(`HTTP/1.1 ${interim}\r\n\r\n${NO_ACCOUNTS}`));
      const connected = await connectCore(core.url, { timeoutMilliseconds: PATIENCE_MILLISECONDS });
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([]);
      await connected.close();
    });

  it("may answer with 2 MiB, and with nearly 16 KiB of header fields (1.3)", async () => {
    const connected = await connectCore(core.url, { timeoutMilliseconds: PATIENCE_MILLISECONDS });
    for (const behaviour of [inOctets(MOST_OCTETS), inOctets(100, MOST_OCTETS_OF_HEADERS - 500)]) {
      core.behave(behaviour);
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([]);
    }
    await connected.close();
  });

  it("is down: core_unreachable", async () => {
    const dead = await startScriptedCore();
    await dead.die();
    expect(await codeOf(dead.url)).to.equal("core_unreachable");
  });

  it("has an unknown host name: core_unreachable", async () => {
    expect(await codeOf(new URL("https://core.invalid"))).to.equal("core_unreachable");
  });

  it("accepts connections without a handshake: no answer in time", async () => {
    const silent = await listenForBytes(() => undefined);
    const code = await codeOf(silent.url, TEST_LIMIT_MILLISECONDS);
    expect(["core_timed_out", "core_unreachable"]).to.include(code);
    await silent.close();
  });

  it("does not speak TLS: core_unreachable", async () => {
    const plain = await listenForBytes((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    expect(await codeOf(plain.url)).to.equal("core_unreachable");
    await plain.close();
  });

  it("shows another authority's certificate: core_unreachable, and nothing is asked", async () => {
    const { server } = await testCertificates();
    const stranger = await startScriptedCore({ keyPair: server.auth });
    expect(await codeOf(stranger.url)).to.equal("core_unreachable");
    expect(stranger.asked).to.have.length(0);
    await stranger.die();
  });

  it("has a certificate for another name: core_unreachable, and nothing is asked", async () => {
    const { bank } = await testCertificates();
    const other = await startScriptedCore({ keyPair: bank.operator });
    expect(await codeOf(other.url)).to.equal("core_unreachable");
    expect(other.asked).to.have.length(0);
    await other.die();
  });

  it("rejects resource's certificate: core_unreachable", async () => {
    const { caFile } = await testCertificates();
    const choosy = await startScriptedCore({ authorityFile: caFile });
    expect(await codeOf(choosy.url)).to.equal("core_unreachable");
    await choosy.die();
  });

  it("demands a certificate: the log names its TLS alert, which comes after the handshake (RFC 8446 6.2)", async () => {
    const { privateCaFile } = await testCertificates();
    const choosy = await startScriptedCore();
    const exchange = openCoreExchange({
      url: choosy.url,
      authority: readFileSync(privateCaFile, "utf8"),
      timeoutMilliseconds: PATIENCE_MILLISECONDS,
      callsAtOnce: 1,
    });
    const { signal } = new AbortController();
    expect(await rejectionOf(exchange.send({ path: "/terms", trace: undefined, signal }))).to.include({
      code: "core_unreachable",
      detail: "it refused TLS with the alert certificate_required: it demands a certificate",
    });
    await exchange.close();
    await choosy.die();
  });

  it("asks to come again later: its time is passed on, within bounds (RFC 9110 10.2.3)", async () => {
    const rows: readonly (readonly [string | undefined, number])[] = [
      [undefined, 2],
      ["7", 7],
      ["0", 1],
      ["999999", 120],
      ["9999999", 120],
      ["9".repeat(400), 120],
      ["Wed, 21 Oct 2026 07:28:00 GMT", 2],
      ["-1", 2],
      ["soon", 2],
    ];
    for (const status of [429, 503])
      for (const [told, seconds] of rows) {
        core.behave((_, response) => {
          response.writeHead(status, told === undefined ? {} : { "Retry-After": told }).end();
        });
        const connected = await connectCore(core.url);
        expect(await rejectionOf(connected.bank.accountsOf(PSU)), told).to.include({
          code: "answer_throttled",
          retryAfterSeconds: seconds,
        });
        await connected.close();
      }
  });

  it("refuses as the contract provides: counted as a refusal, not a failure", async () => {
    const connected = await connectCore(core.url);
    const question = { ...OF, currency: parseCurrencyCode("CZK") };
    core.behave(answering({ code: "account_unknown" }, 404));
    expect(await rejectionOf(connected.bank.balancesOf(question))).to.include({ code: "account_unknown" });
    core.behave(answering({ code: "currency_unknown" }, 400));
    expect(await rejectionOf(connected.bank.balancesOf(question))).to.include({ code: "currency_unknown" });
    expect(await connected.metrics()).to.match(
      /core_calls_total\{operation="balances",outcome="refused",[^}]*\} 2/,
    );
    await connected.close();
  });

  describe("is asked again", () => {
    const timesAsked = async (first: Behaviour): Promise<{ times: number; answered: boolean }> => {
      const before = core.asked.length;
      core.behave((request, response) => {
        const behaviour = core.asked.length - before === 1 ? first : answering(SAMPLE_ACCOUNTS);
        behaviour(request, response);
      });
      const connected = await connectCore(core.url, { timeoutMilliseconds: PATIENCE_MILLISECONDS });
      const answered = await connected.bank.accountsOf(PSU).then(
        () => true,
        () => false,
      );
      await connected.close();
      return { times: core.asked.length - before, answered };
    };

    it("once, when it gave no answer at all", async () => {
      const closing: Behaviour = (request) => void request.socket.destroy();
      expect(await timesAsked(closing)).to.deep.equal({ times: 2, answered: true });
    });

    it("but not a third time", async () => {
      const before = core.asked.length;
      core.behave((request) => void request.socket.destroy());
      expect(await codeOf(core.url)).to.equal("core_unreachable");
      expect(core.asked.length - before).to.equal(2);
    });

    it("a moment after it closed the connection, so that not all callers come back at once", async () => {
      const askedAt: number[] = [];
      const closing = await listenForBytes((socket) => {
        askedAt.push(performance.now());
        socket.destroy();
      });
      // A busy machine may make a moment of nothing, though hardly each time.
      const pauses: number[] = [];
      for (let call = 0; call < 4; call += 1) {
        expect(await codeOf(closing.url)).to.equal("core_unreachable");
        const [first = 0, second = 0] = askedAt.splice(0);
        pauses.push(second - first);
      }
      await closing.close();
      // A timer may be early by one.
      expect(Math.min(...pauses)).to.be.at.least(19);
    });

    const NEVER: readonly (readonly [string, Behaviour])[] = [
      ["it cut its answer", cutting],
      ["it answered 500", status(500)],
      ["it answered 429", status(429)],
      ["it answered nonsense", answering({ accounts: "none" })],
    ];
    for (const [what, behaviour] of NEVER) {
      it(`never when ${what}`, async () => {
        expect(await timesAsked(behaviour)).to.deep.equal({ times: 1, answered: false });
      });
    }
  });
});

function status(code: number): Behaviour {
  return (_, response) => void response.writeHead(code).end();
}

function redirect(code: number): Behaviour {
  return (request, response) => {
    const host = request.headers.host ?? "";
    response.writeHead(code, { Location: `https://${host}/elsewhere` }).end();
  };
}

function cutting(...[request, response]: Parameters<Behaviour>): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.write('{"accounts": [', () => request.socket.destroy());
}

function dripping(...[, response]: Parameters<Behaviour>): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  const drops = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(drops));
}

function endlessInterim(...[request, response]: Parameters<Behaviour>): void {
  const drops = setInterval(() => response.writeProcessing(), 20);
  request.socket.on("close", () => clearInterval(drops));
}

function flooding(...[, response]: Parameters<Behaviour>): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  pour(response);
}

/** Writes as fast as it is read, until nobody reads. */
function pour(response: Parameters<Behaviour>[1]): void {
  const wave = Buffer.alloc(65_536, 0x20);
  const write = () => {
    while (!response.destroyed && response.write(wave));
  };
  response.on("drain", write);
  write();
}

interface ByteListener {
  readonly url: URL;
  close(): Promise<void>;
}

async function listenForBytes(meet: (socket: Socket) => void): Promise<ByteListener> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    meet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: new URL(`https://localhost:${port}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
