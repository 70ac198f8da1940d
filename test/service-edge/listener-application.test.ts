import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect as connectTcp, type Socket } from "node:net";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import {
  createListenerApplication,
  createMetrics,
  EDGE_STATUS,
  EdgeRefusal,
  type HandedOverRoute,
  type Listener,
  openTlsListener,
  PortTaken,
  type Route,
  systemClock,
} from "@cobs/service-edge";
import { expect } from "chai";
import { createTestCa, type TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { eventually } from "../support/eventually.ts";
import { heldPerOctet } from "../support/held-per-octet.ts";
import { onceLogged } from "../support/once-logged.ts";
import { send } from "../support/raw-https.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { startComputing } from "../support/stopwatch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FORM = "application/x-www-form-urlencoded";
const MANY_OCTETS = 12_000;

let slowCallBegan: () => void = () => {};

const ROUTES: readonly (Route | HandedOverRoute)[] = [
  {
    method: "GET",
    path: "/half",
    handOver: async (_request, response) => {
      response.writeHead(200, { "Content-Length": 10 });
      response.write("half");
      throw new Error("the other half is lost");
    },
  },
  { method: "GET", path: "/things/:id", handle: async (call) => ({ status: 200, json: call.parameters }) },
  {
    method: "POST",
    path: "/things",
    body: "json",
    handle: async (call) => ({ status: 201, json: call.body }),
  },
  {
    method: "POST",
    path: "/things/later",
    handle: async (call) => {
      // Its body has come by now.
      await setImmediate();
      return { status: 201, json: await call.readJson() };
    },
  },
  {
    method: "POST",
    path: "/things/soon",
    handle: async (call) => {
      // Its body has come by now, and its end has not.
      await Promise.resolve();
      return { status: 201, json: await call.readJson() };
    },
  },
  {
    method: "POST",
    path: "/forms",
    body: "form",
    handle: async (call) => ({ status: 200, json: call.body }),
  },
  {
    method: "GET",
    path: "/single",
    handle: async (call) => ({ status: 200, json: call.header("x-one") ?? null }),
  },
  {
    method: "GET",
    path: "/host",
    handle: async (call) => ({
      status: 200,
      json: [call.header("host"), call.exchange.request.headers.host],
    }),
  },
  {
    method: "GET",
    path: "/empty",
    handle: async () => ({ status: 204, headers: { "Cache-Control": "max-age=60" } }),
  },
  { method: "GET", path: "/broken", handle: () => Promise.reject(new Error("password=hunter2")) },
  {
    method: "GET",
    path: "/lists",
    handle: async (call) => ({
      status: 200,
      json: [call.header("if-match"), call.header("if-none-match")],
      facts: { asked: "for lists" },
    }),
  },
  {
    method: "GET",
    path: "/slow",
    handle: () => {
      slowCallBegan();
      return new Promise(() => {});
    },
  },
];

describe("Listener", () => {
  const folder = temporaryFolder();
  const { log, lines } = readableLog();
  let ca: TestCa;
  let listener: Listener;
  let port = 0;
  let latest: IncomingMessage | undefined;

  async function open(atPort: number): Promise<Listener> {
    return openTlsListener({
      name: "test",
      host: "127.0.0.1",
      port: atPort,
      keyPair: await writeServerKeyPair(ca, folder.path, new Date()),
      clientCertificates: { kind: "never-asked" },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log,
      handle: (request, response) => {
        latest = request;
        application(request, response);
      },
    });
  }

  const metrics = createMetrics("test");
  const application = createListenerApplication({
    name: "test",
    routes: ROUTES,
    hosts: ["localhost"],
    responses: "data",
    log,
    metrics,
    clock: systemClock,
    presentError: (error, call) =>
      error instanceof EdgeRefusal
        ? {
            answer: {
              status: EDGE_STATUS[error.code],
              json: { code: error.code, message: error.message, path: error.path },
            },
            logFacts: { refusal: error.code },
          }
        : { answer: { status: 500, json: { requestId: call.requestId } }, logFacts: { error } },
  });

  const call = (
    method: string,
    path: string,
    sent: { headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
  ) =>
    onceLogged(
      send(
        { port, method, path, ca: ca.web.certificatePem, headers: { host: "localhost", ...sent.headers } },
        sent.body,
      ),
      lines,
    );

  const post = (body: string | Buffer, type = "application/json", path = "/things") =>
    call("POST", path, { headers: { "content-type": type }, body });

  before(async () => {
    ca = await createTestCa(new Date());
    listener = await open(0);
    port = listener.port;
  });
  after(async () => {
    await listener.close(1_000);
    folder.remove();
  });

  it("answers a route with the decoded values of its path", async () => {
    const answer = await call("GET", "/things/a%20b");
    expect(answer.status).to.equal(200);
    expect(JSON.parse(answer.body)).to.deep.equal({ id: "a b" });
  });

  for (const [letters, id] of [
    ["ASCII", "ab"],
    ["Latin-1", "aé"],
    ["other scripts", "č€😀"],
  ] as const)
    it(`writes texts of ${letters} in UTF-8 (RFC 8259 8.1)`, async () => {
      const { bytes, headers } = await call("GET", `/things/${encodeURIComponent(id)}`);
      const expected = Buffer.from(JSON.stringify({ id }), "utf8");
      expect(bytes).to.deep.equal(expected);
      expect(headers["content-length"]).to.equal(String(expected.length));
    });

  it("answers 404 for every other path and 405 with Allow for every other method (RFC 9110 15.5.5, 15.5.6)", async () => {
    expect((await call("GET", "/nowhere")).status).to.equal(404);
    expect((await call("GET", "/things/1/")).status).to.equal(404);
    expect((await call("GET", "//things/1")).status).to.equal(404);
    expect((await call("GET", "/Things/1")).status).to.equal(404);
    const answer = await call("DELETE", "/things");
    expect(answer.status).to.equal(405);
    expect(answer.headers.allow).to.equal("POST");
  });

  it("answers 405 at a literal path of a route even if one with parameters would fit (OpenAPI 3.1 4.8.8)", async () => {
    const answer = await call("GET", "/things/later");
    expect([answer.status, JSON.parse(answer.body).message]).to.deep.equal([405, "this path allows POST"]);
  });

  it("refuses another host than its own, and names its own (RFC 9110 7.4)", async () => {
    const answer = await call("GET", "/things/1", { headers: { host: "elsewhere.example" } });
    expect([answer.status, JSON.parse(answer.body).message]).to.deep.equal([
      421,
      "this host is not served here: use https://localhost",
    ]);
  });

  for (const [host, status] of [
    ["LOCALHOST", 200],
    ["localhost.", 421],
    ["localhost:", 421],
    ["[::1]:1", 421],
    ["", 421],
    ["user@localhost", 400],
    ["localhost, localhost", 400],
    ["localhost:a", 400],
    ["localhost/", 400],
    ["[::1", 400],
  ] as const) {
    it(`answers ${status} to the host "${host}" (RFC 9110 7.4, RFC 9112 3.2)`, async () => {
      expect((await call("GET", "/things/1", { headers: { host } })).status).to.equal(status);
    });
  }

  it("refuses a request without Host, or with two, with its own code (RFC 9112 3.2)", async () => {
    for (const hosts of ["", "Host: localhost\r\nHost: localhost\r\n"]) {
      const answer = await write(`GET /things/1 HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      expect(answer).to.match(/^HTTP\/1\.1 400 .*"host_malformed"/s);
    }
  });

  for (const [target, status] of [
    ["https://localhost/things/1", 200],
    ["HTTPS://LOCALHOST/things/1", 200],
    ["https://elsewhere.example/things/1", 421],
    ["http://localhost/things/1", 421],
    ["https://user@localhost/things/1", 421],
    ["https://[::1/things/1", 421],
    ["https://localhost", 404],
    ["https://localhost/x/../things/1", 404],
    ["*", 404],
    ["//[::1/things/1", 404],
    ["/things/%zz", 400],
    ["/things/%ff", 400],
  ] as const) {
    it(`takes the host from a target that is a URL: ${target} gets ${status} (RFC 9112 3.2.2)`, async () => {
      const answer = await write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} .*\\{".*\\}$`, "s"));
    });
  }

  it("ignores another Host header beside a target that is a URL (RFC 9112 3.2.2)", async () => {
    for (const before of ["", "X-One: Host\r\n"]) {
      const answer = await write(
        `GET https://localhost/host HTTP/1.1\r\n${before}Host: elsewhere.example\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).to.match(/^HTTP\/1\.1 200 .*\["localhost","localhost"\]$/s);
    }
  });

  for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
    it(`reads headers beside one named ${name}`, async () => {
      const answer = await write(
        `GET /single HTTP/1.1\r\nHost: localhost\r\n${name}: x\r\nX-One: 1\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).to.match(/^HTTP\/1\.1 200 .*"1"$/s);
    });
  }

  it("serves a call with an unknown expectation (RFC 9110 10.1.1)", async () => {
    expect((await call("GET", "/things/1", { headers: { expect: "everything" } })).status).to.equal(200);
  });

  it("sends the headers that keep answers from being cached, sniffed or framed (ASVS 3.4)", async () => {
    const { headers } = await call("GET", "/things/1");
    expect(headers["cache-control"]).to.equal("no-store");
    expect(headers["x-content-type-options"]).to.equal("nosniff");
    expect(headers["x-frame-options"]).to.equal("DENY");
    expect(headers["strict-transport-security"]).to.equal("max-age=31536000");
    expect(headers["content-security-policy"]).to.equal("default-src 'none';frame-ancestors 'none'");
    expect(headers).not.to.have.any.keys("server", "x-powered-by");
  });

  it("sends a header once when a route sets it itself, and no length without a body (RFC 9110 8.6)", async () => {
    const answer = await write("GET /empty HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(answer).to.match(/^HTTP\/1\.1 204 /);
    expect(answer.match(/^Cache-Control: .*$/gim)).to.deep.equal(["Cache-Control: max-age=60"]);
    expect(answer).not.to.match(/^Content-Length:/im);
  });

  it("echoes a well-formed X-Request-ID and makes one otherwise (COBS OpenAPI)", async () => {
    expect(
      (await call("GET", "/things/1", { headers: { "x-request-id": "abc-1" } })).headers["x-request-id"],
    ).to.equal("abc-1");
    const longest = "a".repeat(60);
    const named = await call("GET", "/things/1", { headers: { "x-request-id": longest } });
    expect(named.headers["x-request-id"]).to.equal(longest);
    for (const malformed of ["<script>", `${longest}a`]) {
      const made = await call("GET", "/things/1", { headers: { "x-request-id": malformed } });
      expect(made.headers["x-request-id"]).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  const badBodies: readonly (readonly [string, string | Buffer, string, number])[] = [
    ["malformed JSON", '{"a":', "application/json", 400],
    ["an empty body", "", "application/json", 400],
    ["a repeated member name", '{"a":1,"a":2}', "application/json", 400],
    ["a repeated member name hidden by an escape", '{"a":1,"\\u0061":2}', "application/json", 400],
    ["__proto__", '{"__proto__":{"x":1}}', "application/json", 400],
    ["a comment", '{/* */"a":1}', "application/json", 400],
    ["a trailing comma", '{"a":1,}', "application/json", 400],
    ["20,000 levels", "[".repeat(20_000) + "]".repeat(20_000), "application/json", 400],
    ["100 kB", Buffer.alloc(100_000, 0x20), "application/json", 413],
    ["another media type", "<a/>", "application/xml", 415],
    ["no media type", "{}", "", 415],
    ["another charset", "{}", "application/json; charset=utf-16", 415],
    ["letters of windows-1250", Buffer.from('{"a":"\xe8"}', "latin1"), "application/json", 400],
    ["half of a letter", Buffer.from('{"a":"\xc4"}', "latin1"), "application/json; charset=utf-8", 400],
  ];
  for (const [name, head] of [
    ["without a media type", ""],
    ["of the media type that is wanted", "Content-Type: application/json\r\n"],
    ["of no length", "Content-Length: 0\r\n"],
  ] as const)
    it(`reports a missing body ${name} as missing, not as one of a wrong type (RFC 9110 15.5.16)`, async () => {
      for (const path of ["/things", "/things/later"])
        expect(
          await write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${head}Connection: close\r\n\r\n`),
        ).to.match(/^HTTP\/1\.1 400 .*"the body is missing"/s);
    });

  it("refuses 10 MB with 413 before they are sent, and then answers a clean request (RFC 9110 15.5.14)", async () => {
    const headers = { "content-type": "application/json", "content-length": "10000000" };
    const answer = await call("POST", "/things", { headers, body: Buffer.alloc(1_000, 0x20) });
    expect(answer.status).to.equal(413);
    expect((await post('{"a":1}')).body).to.equal('{"a":1}');
  });

  for (const [name, body, type, status] of badBodies) {
    it(`refuses ${name} with ${status} and then answers a clean request (RFC 8259, RFC 9110)`, async () => {
      for (const path of ["/things", "/things/later"]) {
        expect((await post(body, type, path)).status).to.equal(status);
        expect((await post('{"a":1}', "application/json", path)).body).to.equal('{"a":1}');
      }
    });
  }

  it("refuses a body that is declared as JSON and as something else, in either order (RFC 9110 5.3)", async () => {
    for (const types of [
      ["application/json", "text/plain"],
      ["text/plain", "application/json"],
    ])
      for (const path of ["/things", "/things/later"]) {
        const answer = await call("POST", path, { headers: { "content-type": types }, body: '{"a":1}' });
        expect(answer.status).to.equal(400);
        expect(JSON.parse(answer.body).path).to.equal("Content-Type");
      }
  });

  const goodBodies: readonly (readonly [string, string | Buffer, Record<string, string>])[] = [
    ["plain", '{"a":"č"}', {}],
    ["behind a byte order mark", '\ufeff{"a":"č"}', {}],
    ["compressed as gzip", gzipSync('{"a":"č"}'), { "content-encoding": "gzip" }],
    ["compressed as X-GZip", gzipSync('{"a":"č"}'), { "content-encoding": "X-GZip" }],
    ["compressed as deflate", deflateSync('{"a":"č"}'), { "content-encoding": "deflate" }],
    ["compressed as br", brotliCompressSync('{"a":"č"}'), { "content-encoding": "br" }],
    [
      "compressed, by a name in capitals (RFC 9110 8.4.1)",
      gzipSync('{"a":"č"}'),
      { "content-encoding": "GZIP" },
    ],
    ["in a named charset", '{"a":"č"}', { "content-type": "application/json; charset=UTF-8" }],
    ["in pieces", '{"a":"č"}', { "transfer-encoding": "chunked" }],
  ];
  for (const [name, body, sent] of goodBodies) {
    it(`reads JSON ${name}, whether asked for at once or after it has come (RFC 8259 8.1)`, async () => {
      const headers = { "content-type": "application/json", ...sent };
      for (const path of ["/things", "/things/later"])
        expect((await call("POST", path, { headers, body })).body).to.equal('{"a":"č"}');
    });
  }

  for (const [coding, status, message, path] of [
    ["zstd", 415, "the body must be compressed as gzip, deflate or br, or not at all", "Content-Encoding"],
    [
      "gzip, br",
      415,
      "the body must be compressed as gzip, deflate or br, or not at all",
      "Content-Encoding",
    ],
    [
      "constructor",
      415,
      "the body must be compressed as gzip, deflate or br, or not at all",
      "Content-Encoding",
    ],
    ["gzip", 400, "the body is not compressed as Content-Encoding says", undefined],
    ["br", 400, "the body is not compressed as Content-Encoding says", undefined],
  ] as const)
    it(`refuses with ${status} a body not in its coding ${coding}, or in an unknown one (RFC 9110 15.5.16)`, async () => {
      const headers = { "content-type": "application/json", "content-encoding": coding };
      for (const at of ["/things", "/things/later"]) {
        const answer = await call("POST", at, { headers, body: '{"a":1}' });
        expect(answer.status).to.equal(status);
        expect(JSON.parse(answer.body)).to.include({ message, ...(path && { path }) });
        expect((await post('{"a":1}', "application/json", at)).body).to.equal('{"a":1}');
      }
    });

  it("accepts as many octets in chunks as in one piece, and refuses more with 413 (RFC 9110 15.5.14)", async () => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const send = (path: string, octets: number) =>
      call("POST", path, { headers, body: `{"a":1}${" ".repeat(octets - 7)}` });
    for (const path of ["/things", "/things/later"]) {
      expect((await send(path, 65_536)).body).to.equal('{"a":1}');
      expect((await send(path, 65_537)).status).to.equal(413);
    }
  });

  it("reads each body to its end, so that Node.js releases the request while the connection stays", async () => {
    const headers = { "content-type": "application/json" };
    const pieces = { ...headers, "transfer-encoding": "chunked" };
    for (const path of ["/things", "/things/soon", "/things/later"])
      for (const sent of [headers, pieces]) {
        await call("POST", path, { headers: sent, body: '{"a":1}' });
        await eventually(() => latest?.readableEnded === true);
      }
  });

  for (const coding of ["gzip, chunked", "gzip,Chunked"])
    it(`refuses a body in the transfer coding ${coding}, which is not supported (RFC 9112 6.1)`, async () => {
      const headers = { "content-type": "application/json", "transfer-encoding": coding };
      for (const at of ["/things", "/things/later"])
        for (const body of ['{"a":1}', gzipSync('{"a":1}')]) {
          const answer = await call("POST", at, { headers, body });
          expect(answer.status).to.equal(415);
          expect(JSON.parse(answer.body)).to.include({
            message: "no Transfer-Encoding other than chunked is supported",
            path: "Transfer-Encoding",
          });
        }
    });

  for (const [coding, pack] of Object.entries({
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  })) {
    const WRONG = "the body is not compressed as Content-Encoding says";
    const packed = pack('{"a":1}');
    const refused: readonly (readonly [string, Buffer, number, string])[] = [
      ["is truncated", packed.subarray(0, -2), 400, WRONG],
      ["is empty", Buffer.alloc(0), 400, WRONG],
      ["goes on after its end", Buffer.concat([packed, Buffer.from("more")]), 400, WRONG],
      ["is too large unpacked", pack(Buffer.alloc(65_537, " ")), 413, "the body is larger than 65536 bytes"],
    ];
    for (const [what, body, status, message] of refused)
      it(`refuses a body in ${coding} that ${what}, and then answers a clean request (RFC 9110 8.4.1)`, async () => {
        const headers = { "content-type": "application/json", "content-encoding": coding };
        const answer = await call("POST", "/things", { headers, body });
        expect(answer.status).to.equal(status);
        expect(JSON.parse(answer.body)).to.include({ message });
        expect((await post('{"a":1}', "application/json", "/things")).body).to.equal('{"a":1}');
      });

    it(`accepts a body in ${coding} that is exactly as large unpacked as allowed (RFC 9110 8.4.1)`, async () => {
      const headers = { "content-type": "application/json", "content-encoding": coding };
      const body = pack(`{"a":1}${" ".repeat(65_536 - 7)}`);
      expect((await call("POST", "/things", { headers, body })).body).to.equal('{"a":1}');
    });
  }

  for (const coding of ["identity", "gzip"])
    it(`holds little memory for bodies that come octet by octet, in coding ${coding}`, async () => {
      const head = `POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: ${coding}\r\n`;
      const spaces = Buffer.alloc(MANY_OCTETS, " ");
      const body = coding === "gzip" ? gzipSync(spaces, { level: 0 }).subarray(0, MANY_OCTETS) : spaces;
      expect(await heldPerOctet(application, head, body)).to.be.lessThan(10);
    });

  it("gives form fields as lists, so that repeated ones are seen", async () => {
    const answer = await post("a=1&a=2&b=%C3%A1", FORM, "/forms");
    expect(JSON.parse(answer.body)).to.deep.equal({ a: ["1", "2"], b: ["á"] });
  });

  it("gives form fields named like built-in members of objects as all others", async () => {
    const answer = await post("constructor=1&toString=2&toString=3&__proto__=4", FORM, "/forms");
    const fields = Object.entries(JSON.parse(answer.body));
    expect(fields).to.deep.equal([
      ["constructor", ["1"]],
      ["toString", ["2", "3"]],
      ["__proto__", ["4"]],
    ]);
  });

  for (const [name, body] of [
    ["as raw octets", Buffer.from("a=\xe8", "latin1")],
    ["when percent-decoded", "a=%E8"],
    ["in a name", "%c4=1&b=%"],
  ] as const) {
    it(`refuses a form that is not UTF-8 ${name}, instead of replacing characters`, async () => {
      for (const type of [FORM, `${FORM}; charset=utf-8`]) {
        const answer = await post(body, type, "/forms");
        expect(answer.status).to.equal(400);
        expect(JSON.parse(answer.body)).to.include({ message: "the body is not UTF-8" });
      }
    });
  }

  it("keeps U+FFFD and stray percent signs, which a form may hold", async () => {
    const answer = await post("a=%EF%BF%BD&b=100%&c=%zz", FORM, "/forms");
    expect(JSON.parse(answer.body)).to.deep.equal({ a: ["\ufffd"], b: ["100%"], c: ["%zz"] });
  });

  it("reads a form of nothing but repeated fields as fast as any other", async () => {
    const body = "a&".repeat(32_000);
    const computed = startComputing();
    expect((await post(body, FORM, "/forms")).status).to.equal(200);
    expect(computed()).to.be.below(1_000);
  });

  it("refuses a header that must be single when it came twice", async () => {
    const answer = await call("GET", "/single", { headers: { "x-one": ["1", "2"] } });
    expect(answer.status).to.equal(400);
    expect(JSON.parse(answer.body)).to.include({ code: "header_repeated", path: "x-one" });
  });

  it("reads several lines of a list header as one value (RFC 9110 5.2)", async () => {
    const headers = { "if-match": ['"1"', '"2"'], "if-none-match": ['"3"', '"4"'] };
    const answer = await call("GET", "/lists", { headers });
    expect(JSON.parse(answer.body)).to.deep.equal(['"1", "2"', '"3", "4"']);
  });

  it("cuts an answer that fails after it has begun, so that nobody waits for the rest", async () => {
    const text = await write("GET /half HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(text).to.match(/\r\n\r\nhalf$/);
    await eventually(() => lines.findLast(({ msg }) => msg === "call")?.route === "/half");
    expect(lines.at(-1)).to.have.nested.property("error.message", "the other half is lost");
  });

  it("answers 500 with the request id and nothing else when a handler throws", async () => {
    const answer = await call("GET", "/broken");
    expect(answer.status).to.equal(500);
    expect(answer.body).not.to.include("hunter2");
    expect((await call("GET", "/things/1")).status).to.equal(200);
  });

  it("writes one log line per call with the route, not the path", async () => {
    await call("GET", "/lists");
    expect(lines.findLast((entry) => entry.msg === "call")).to.include({ asked: "for lists" });
    await call("GET", "/things/secret-looking");
    const line = lines.findLast((entry) => entry.msg === "call");
    expect(line).to.include({ route: "/things/:id", method: "GET", status: 200, listener: "test" });
    expect(JSON.stringify(line)).not.to.include("secret-looking");
  });

  it("counts unknown methods under one label, and logs their names", async () => {
    for (const method of ["PROPFIND", "PURGE", "MKCOL"]) await call(method, "/nothing-is-here");
    expect(lines.findLast(({ msg }) => msg === "call")).to.include({ method: "MKCOL" });
    const { body } = await metrics.present();
    expect(body).to.match(/^http_requests_total\{.*route="none",method="other",status="404".*\} 3$/m);
    expect(body).not.to.match(/PROPFIND|PURGE|MKCOL/);
  });

  for (const [goes, go] of [
    ["disconnects", (plain: Socket) => plain.resetAndDestroy()],
    ["sends something other than TLS", (plain: Socket) => plain.write("no record of TLS at all")],
  ] as const)
    it(`writes one log line, without claiming an answer, for a call whose caller ${goes}`, async () => {
      const linesBefore = lines.length;
      const plain = connectTcp(port, "127.0.0.1");
      const socket = connect({ socket: plain, servername: "localhost", ca: ca.web.certificatePem });
      socket.on("error", () => {});
      await once(socket, "secureConnect");
      const slowCall = new Promise<void>((resolve) => {
        slowCallBegan = resolve;
      });
      socket.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await slowCall;
      go(plain);
      await eventually(async () => lines.length > linesBefore);
      await call("GET", "/things/1");
      expect(lines.slice(linesBefore).map(({ route, status }) => `${route} ${status}`)).to.deep.equal([
        "/slow 499",
        "/things/:id 200",
      ]);
    });

  it("answers 431 to headers above its limit and goes on serving", async () => {
    const answer = await call("GET", "/things/1", { headers: { "x-long": "a".repeat(20_000) } });
    expect(answer.status).to.equal(431);
    expect((await call("GET", "/things/1")).status).to.equal(200);
  });

  for (const [version, works] of [
    ["TLSv1", false],
    ["TLSv1.1", false],
    ["TLSv1.2", true],
    ["TLSv1.3", true],
  ] as const) {
    it(`${works ? "speaks" : "refuses"} ${version} (FAPI 2.0 5.2.1)`, async () => {
      const outcome = await handshake({ minVersion: version, maxVersion: version });
      expect(outcome).to.equal(works ? version : "refused");
    });
  }

  for (const ciphers of ["AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "DHE-RSA-AES128-GCM-SHA256"]) {
    it(`refuses the TLS 1.2 suite ${ciphers} (FAPI 2.0 5.2.2)`, async () => {
      expect(await handshake({ maxVersion: "TLSv1.2", ciphers })).to.equal("refused");
    });
  }

  async function openConnection(): Promise<TLSSocket> {
    const socket = connect({ port, host: "localhost", ca: ca.web.certificatePem });
    await once(socket, "secureConnect");
    return socket;
  }

  /** Writes bytes on a connection of its own and reads until the other side closes. */
  async function write(bytes: string): Promise<string> {
    const socket = await openConnection();
    socket.write(bytes);
    let text = "";
    for await (const chunk of socket) text += chunk;
    return text;
  }

  function handshake(options: {
    minVersion?: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
    maxVersion: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
    ciphers?: string;
  }): Promise<string> {
    const ciphers = options.ciphers ?? "DEFAULT@SECLEVEL=0";
    return new Promise((resolve) => {
      const socket = connect(
        { port, host: "localhost", ca: ca.web.certificatePem, ...options, ciphers },
        () => {
          resolve(socket.getProtocol() ?? "none");
          socket.destroy();
        },
      );
      socket.on("error", () => resolve("refused"));
    });
  }

  it("keeps the connection of a call that is refused at once when no body is to come (RFC 9112 6.3, 9.3)", async () => {
    const socket = await openConnection();
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
    });
    const refused = () => text.split("HTTP/1.1 404").length - 1;
    for (const count of [1, 2]) {
      socket.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await eventually(async () => refused() === count);
    }
    socket.write("POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n");
    await once(socket, "close");
    expect(refused()).to.equal(3);
    expect(text.match(/^Connection: .*$/gim)).to.deep.equal([
      "Connection: keep-alive",
      "Connection: keep-alive",
      "Connection: close",
    ]);
  });

  describe("that has refused a call which is still being sent (RFC 9112 9.6)", () => {
    const PIECE = Buffer.alloc(65_536, 0x20);

    /** Sends a call of so many pieces, the first of which is answered; gives how many of the others could be sent. */
    async function sendOn(pieces: number) {
      const socket = await openConnection();
      let text = "";
      let isOver = false;
      socket.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk;
      });
      socket
        .on("error", () => {})
        .on("close", () => {
          isOver = true;
        });
      const length = `Content-Length: ${pieces * PIECE.length}`;
      socket.write(
        `POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
      );
      await eventually(async () => text.includes("the body is larger"));
      let sent = 0;
      for (; sent < pieces && !isOver; sent += 1) {
        socket.write(PIECE);
        await delay(5);
      }
      await eventually(async () => isOver);
      return { sent, text };
    }

    it("reads on until all of it has come, and then closes", async () => {
      const { sent, text } = await sendOn(6);
      expect(sent).to.equal(6);
      expect(text).to.match(/^HTTP\/1\.1 413 .*^Connection: close\r$/ms);
      expect(text.match(/HTTP\/1\.1/g)).to.have.length(1);
    });

    it("closes when it does not end", async () => {
      const { sent } = await sendOn(1_000);
      expect(sent).to.be.within(16, 999);
    });

    for (const [method, path, status] of [
      ["POST", "/things", 413],
      ["HEAD", "/nothing", 404],
    ] as const)
      it(`logs and counts the ${status} of a caller who takes the answer to ${method} and leaves`, async () => {
        const name = `goes-${method}`;
        const socket = await openConnection();
        socket.on("error", () => {});
        const headers = `Host: localhost\r\nX-Request-ID: ${name}\r\nContent-Type: application/json`;
        socket.write(`${method} ${path} HTTP/1.1\r\n${headers}\r\nContent-Length: 1000000\r\n\r\n{`);
        await once(socket, "data");
        socket.destroy();
        const told = () => lines.find((line) => line.callerRequestId === name);
        await eventually(() => told() !== undefined);
        expect(told()).to.include({ status });
      });
  });

  it("keeps the connection of a call refused for a body that has come whole (RFC 9112 9.3)", async () => {
    const socket = await openConnection();
    socket.write(
      "POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{",
    );
    const [answer] = await once(socket.setEncoding("latin1"), "data");
    socket.destroy();
    expect(answer).to.match(/^HTTP\/1\.1 400 .*^Connection: keep-alive\r$/ms);
  });

  it("closes the connection of a call refused before its chunks have come (RFC 9112 9.3, 11.2)", async () => {
    const text = await write(
      "POST /nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    expect(text).to.match(/^HTTP\/1\.1 404 .*^Connection: close\r$/ms);
  });

  it("names a port that is taken", async () => {
    const error = await open(port).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).to.be.instanceOf(PortTaken);
    expect(String(error)).to.include(String(port));
  });
});
