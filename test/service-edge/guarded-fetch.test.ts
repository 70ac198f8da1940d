import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { createGuardedFetch, type GuardedFetch, type OutsideQuestion } from "@cobs/service-edge";
import { expect } from "chai";
import { type OutsideServer, openOutsideServer } from "../support/outside-server.ts";
import { longestTurn } from "../support/processor-time.ts";
import { rejectionOf } from "../support/rejection.ts";
import { standStill } from "../support/stand-still.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { testCertificates } from "../support/test-certificates.ts";

const LIMIT_MILLISECONDS = 400;
/** What has a limit of 400 ms ends well before this, on a busy machine too. */
const ENDED_BY_MILLISECONDS = 2_000;
const LIMIT_OCTETS = 100_000;
/** Milliseconds of the processor. */
const MOST_OF_A_TURN = 100;

describe("Question to a revocation source", () => {
  let outside: GuardedFetch;
  let server: OutsideServer;
  let handle: RequestListener;

  before(async () => {
    server = await openOutsideServer((request, response) => handle(request, response));
    outside = createGuardedFetch({ allowsPrivateAddresses: true });
  });
  after(async () => {
    await outside.close();
    server.close();
  });

  const ask = (path: string, more: Partial<OutsideQuestion> = {}) =>
    outside.fetch({
      url: new URL(path, `http://127.0.0.1:${server.port}`),
      body: undefined,
      contentType: undefined,
      accept: "application/pkix-crl",
      limitOctets: LIMIT_OCTETS,
      limitMilliseconds: 10_000,
      ...more,
    });

  const answering = (write: (response: ServerResponse) => void): RequestListener => {
    return (_request, response) => write(response);
  };

  async function refusalOf(answer: Promise<unknown>): Promise<string> {
    const waited = startWaiting();
    const { name, message } = await rejectionOf(answer);
    expect(name).to.equal("OutsideFetchError");
    expect(waited()).to.be.below(ENDED_BY_MILLISECONDS);
    return message;
  }

  it("gives the octets of the answer, whatever its media type", async () => {
    handle = answering((response) => response.setHeader("content-type", "text/html").end("octets"));
    expect(String(await ask("/crl"))).to.equal("octets");
    const { method, headers } = server.asked.at(-1) ?? {};
    expect(method).to.equal("GET");
    expect(headers).to.include({ accept: "application/pkix-crl", "accept-encoding": "identity" });
  });

  it("sends a body by POST with its media type (RFC 6960 appendix A.1)", async () => {
    handle = (request, response) => void request.pipe(response);
    const body = Buffer.from("an OCSP request");
    const answer = await ask("/ocsp", { body, contentType: "application/ocsp-request" });
    expect(answer).to.deep.equal(body);
    const { method, headers } = server.asked.at(-1) ?? {};
    expect([method, headers?.["content-type"]]).to.deep.equal(["POST", "application/ocsp-request"]);
  });

  it("keeps no cookies", async () => {
    handle = answering((response) => response.setHeader("set-cookie", "a=b").end());
    await ask("/first");
    await ask("/second");
    expect(server.asked.at(-1)?.headers).not.to.have.property("cookie");
  });

  for (const status of [204, 206, 304, 400, 404, 500, 503]) {
    it(`rejects an answer with status ${status}`, async () => {
      handle = answering((response) => response.writeHead(status).end());
      expect(await refusalOf(ask("/"))).to.include(`status ${status}`);
    });
  }

  for (const url of ["ftp://127.0.0.1/crl", "file:///etc/passwd", "ldap://127.0.0.1/cn=crl", "data:,crl"]) {
    it(`is not sent to ${url}`, async () => {
      expect(await refusalOf(ask("/", { url: new URL(url) }))).to.include("is not http or https");
    });
  }

  it("is not sent to a URL with credentials", async () => {
    const before = server.asked.length;
    for (const who of ["name:secret", "name", ":secret"]) {
      const url = new URL(`http://${who}@127.0.0.1:${server.port}/`);
      const message = await refusalOf(ask("/", { url }));
      expect(message).to.include("credentials").and.not.to.include("secret");
    }
    expect(server.asked).to.have.length(before);
  });

  describe("that is redirected", () => {
    const redirects =
      (status: number): RequestListener =>
      (request, response) => {
        const left = Number(request.url?.slice(1));
        if (left === 0) response.end("arrived");
        else response.writeHead(status, { location: `/${left - 1}` }).end();
      };

    for (const status of [301, 302, 303, 307, 308]) {
      it(`follows two redirects with status ${status}, but no third`, async () => {
        handle = redirects(status);
        expect(String(await ask("/2"))).to.equal("arrived");
        expect(await refusalOf(ask("/3"))).to.include("more than 2 redirects");
      });
    }

    it("follows none when configured not to", async () => {
      const strict = createGuardedFetch({ allowsPrivateAddresses: true, followsRedirects: false });
      try {
        handle = redirects(302);
        const url = new URL("/1", `http://127.0.0.1:${server.port}`);
        const question = { url, body: undefined, contentType: undefined, accept: "application/json" };
        const limits = { limitOctets: LIMIT_OCTETS, limitMilliseconds: 10_000 };
        const before = server.asked.length;
        expect(await refusalOf(strict.fetch({ ...question, ...limits }))).to.include("more than 0 redirects");
        expect(server.asked).to.have.length(before + 1);
      } finally {
        await strict.close();
      }
    });

    it("does not follow from https to anything else, where anybody could answer", async () => {
      const { server: servers, privateCaFile } = await testCertificates();
      const [cert, key] = [
        readFileSync(servers.authBank.certificateFile),
        readFileSync(servers.authBank.keyFile),
      ];
      const secure = createHttpsServer({ cert, key }, ({ url = "" }, response) => {
        response.writeHead(302, { location: `${url.slice(1)}://127.0.0.1:${server.port}/0` }).end();
      });
      const authorities = [readFileSync(privateCaFile, "utf8")];
      const verifying = createGuardedFetch({ allowsPrivateAddresses: true, authorities });
      try {
        await once(secure.listen(0, "127.0.0.1"), "listening");
        handle = redirects(302);
        const question = { body: undefined, contentType: undefined, accept: "application/json" };
        const limits = { limitOctets: LIMIT_OCTETS, limitMilliseconds: 10_000 };
        for (const scheme of ["http", "ftp"]) {
          const url = new URL(`https://localhost:${(secure.address() as AddressInfo).port}/${scheme}`);
          expect(await refusalOf(verifying.fetch({ url, ...question, ...limits }))).to.include(
            `a redirect from https to ${scheme}:`,
          );
        }
      } finally {
        await verifying.close();
        secure.close();
      }
    });

    it("does not follow when it has a body", async () => {
      handle = redirects(307);
      const body = Buffer.from("an OCSP request");
      expect(await refusalOf(ask("/1", { body, contentType: "a/b" }))).to.include(
        "a POST request was redirected",
      );
    });

    for (const [location, why] of [
      ["ftp://127.0.0.1/", "is not http or https"],
      ["http://name:secret@127.0.0.1/", "has credentials"],
      ["http://[", "without a valid Location"],
      [undefined, "without a valid Location"],
    ] as const) {
      it(`does not follow to ${location ?? "nowhere"}`, async () => {
        handle = answering((response) =>
          response.writeHead(302, location === undefined ? {} : { location }).end(),
        );
        expect(await refusalOf(ask("/"))).to.include(why);
      });
    }
  });

  describe("to a source that sends too much", () => {
    it("accepts exactly as many octets as the limit", async () => {
      handle = answering((response) => response.end(Buffer.alloc(LIMIT_OCTETS)));
      expect(await ask("/")).to.have.length(LIMIT_OCTETS);
    });

    it("rejects a longer announced length without reading the body", async () => {
      handle = answering((response) => {
        response.writeHead(200, { "content-length": LIMIT_OCTETS + 1 });
        response.write("x");
      });
      expect(await refusalOf(ask("/"))).to.include(`more than ${LIMIT_OCTETS} octets`);
    });

    it("rejects one unannounced octet too many", async () => {
      handle = answering((response) => {
        response.write("x");
        response.end(Buffer.alloc(LIMIT_OCTETS));
      });
      expect(await refusalOf(ask("/"))).to.include(`more than ${LIMIT_OCTETS} octets`);
    });

    it("stops reading an endless answer, and closes the connection", async () => {
      const ended = new Promise<void>((resolve) => {
        handle = answering((response) => {
          const more = () => {
            while (response.write(Buffer.alloc(16_384)));
          };
          response.on("drain", more).once("close", resolve);
          more();
        });
      });
      expect(await refusalOf(ask("/"))).to.include(`more than ${LIMIT_OCTETS} octets`);
      await ended;
    });

    for (const encoding of ["gzip", "br", "deflate, gzip"]) {
      it(`rejects an answer encoded as ${encoding}`, async () => {
        const body = gzipSync(Buffer.alloc(1_000_000));
        handle = answering((response) => response.setHeader("content-encoding", encoding).end(body));
        expect(await refusalOf(ask("/"))).to.include("encoded");
      });
    }
  });

  describe("to a slow source", () => {
    it("ends at its time limit without an answer, even if one comes later", async () => {
      handle = answering((response) => void setTimeout(() => response.end("late"), 2 * LIMIT_MILLISECONDS));
      expect(await refusalOf(ask("/", { limitMilliseconds: LIMIT_MILLISECONDS }))).to.include(
        "no complete answer",
      );
    });

    it("ends at its time limit while the body trickles in", async () => {
      handle = answering((response) => {
        const trickle = setInterval(() => response.write("x"), 20);
        response.once("close", () => clearInterval(trickle));
      });
      expect(await refusalOf(ask("/", { limitMilliseconds: LIMIT_MILLISECONDS }))).to.include(
        "no complete answer",
      );
    });

    it("accepts an answer that came in time while this process was busy", async () => {
      const limitMilliseconds = 1_500;
      handle = answering((response) => response.end("octets", () => standStill(limitMilliseconds)));
      expect(String(await ask("/", { limitMilliseconds }))).to.equal("octets");
    });

    it("ends at its time limit while a name is looked up", async () => {
      const silent = createGuardedFetch({
        allowsPrivateAddresses: true,
        resolve: () => new Promise(() => {}),
      });
      const question = { url: new URL("http://ocsp.example/"), limitMilliseconds: LIMIT_MILLISECONDS };
      const asked = silent.fetch({
        ...question,
        body: undefined,
        contentType: undefined,
        accept: "*/*",
        limitOctets: 1,
      });
      expect(await refusalOf(asked)).to.include("no complete answer");
      await silent.close();
    });
  });

  describe("to a source that violates HTTP", () => {
    let source: Server;
    const sockets = new Set<Socket>();
    let say: (socket: Socket) => void;

    before(async () => {
      source = createTcpServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => {}).once("data", () => say(socket));
      }).listen(0, "127.0.0.1");
      await once(source, "listening");
    });
    after(() => {
      for (const socket of sockets) socket.destroy();
      source.close();
    });

    function askSource(): Promise<Buffer> {
      const address = source.address();
      const port = typeof address === "object" ? address?.port : 0;
      const url = new URL(`http://127.0.0.1:${port}/`);
      return ask("/", { url, limitMilliseconds: LIMIT_MILLISECONDS });
    }

    it("ends while the headers never do", async () => {
      say = (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const more = setInterval(() => socket.write(`x-more: ${"x".repeat(500)}\r\n`), 1);
        socket.once("close", () => clearInterval(more));
      };
      await refusalOf(askSource());
    });

    for (const [where, begin] of [
      ["its header", ""],
      ["the trailer of its chunks", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"],
    ]) {
      it(`does not block this process for 100 ms with very many fields in ${where}`, async () => {
        say = (socket) => socket.write(`HTTP/1.1 200 OK\r\n${begin}${"a:\r\n".repeat(100_000)}\r\n`);
        const stalled = await longestTurn(() => refusalOf(askSource()), MOST_OF_A_TURN);
        expect(stalled).to.be.below(MOST_OF_A_TURN);
      });
    }

    it("rejects an answer that is cut off", async () => {
      say = (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
      await refusalOf(askSource());
    });

    it("rejects an answer that is not HTTP", async () => {
      say = (socket) => socket.end("220 mail.example ESMTP\r\n");
      await refusalOf(askSource());
    });

    it("rejects a refused connection", async () => {
      await refusalOf(ask("/", { url: new URL("http://127.0.0.1:1/") }));
    });
  });

  describe("among many at once", () => {
    it("is answered over few shared connections", async () => {
      handle = (request, response) => void setTimeout(() => response.end(request.url), 20);
      const before = server.connections;
      const paths = Array.from({ length: 50 }, (_none, at) => `/${at}`);
      const answers = await Promise.all(paths.map((path) => ask(path)));
      expect(answers.map(String)).to.deep.equal(paths);
      expect(server.connections - before).to.be.at.most(8);
    });

    it("is answered while everything posted to the same host stalls", async () => {
      handle = ({ method }, response) => {
        if (method === "GET") response.end("the list");
      };
      const body = Buffer.from("an OCSP request");
      const posted = Array.from({ length: 100 }, () =>
        rejectionOf(ask("/", { body, contentType: "a/b", limitMilliseconds: 4_000 })),
      );
      expect(String(await ask("/", { limitMilliseconds: 3_800 }))).to.equal("the list");
      await Promise.all(posted);
    });

    it("is refused at once when too many to the same host are under way, and accepted again later", async () => {
      handle = () => {};
      const outcomes: boolean[] = [];
      await Promise.all(
        Array.from({ length: 1_030 }, async () => {
          const { message } = await rejectionOf(ask("/", { limitMilliseconds: 5 * LIMIT_MILLISECONDS }));
          outcomes.push(message.includes("too many"));
        }),
      );
      // In the order in which they came: those under way were given up later.
      expect(outcomes.slice(0, 6)).to.deep.equal(Array.from({ length: 6 }, () => true));
      expect(outcomes.slice(6)).not.to.include(true);
      handle = answering((response) => response.end("again"));
      expect(String(await ask("/"))).to.equal("again");
    });
  });

  it("is not sent once the client is closed", async () => {
    const closed = createGuardedFetch({ allowsPrivateAddresses: true });
    await closed.close();
    handle = answering((response) => response.end());
    const url = new URL(`http://127.0.0.1:${server.port}/`);
    await refusalOf(
      closed.fetch({
        url,
        body: undefined,
        contentType: undefined,
        accept: "*/*",
        limitOctets: 1,
        limitMilliseconds: 1_000,
      }),
    );
  });
});
