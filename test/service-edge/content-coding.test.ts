import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createListenerApplication, createMetrics, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { readableLog } from "../support/readable-log.ts";

const LONG = { text: "příliš žluťoučký kůň ".repeat(200) };
const SHORT = { text: "kůň" };

describe("Compression of answers (RFC 9110 section 12.5.3)", () => {
  let server: Server;
  before(async () => {
    const json = (path: string, value: unknown) =>
      ({ method: "GET", path, handle: async () => ({ status: 200, json: value }) }) as const;
    const application = createListenerApplication({
      name: "test",
      routes: [
        json("/long", LONG),
        json("/short", SHORT),
        { method: "GET", path: "/empty", handle: async () => ({ status: 204 }) },
        { method: "GET", path: "/broken", handle: () => Promise.reject(new Error("broken")) },
      ],
      hosts: ["localhost"],
      responses: "data",
      compresses: true,
      log: readableLog().log,
      metrics: createMetrics("test"),
      clock: systemClock,
      presentError: () => ({ answer: { status: 500, json: LONG }, logFacts: {} }),
    });
    server = createServer(application).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => server.close());

  async function ask(path: string, encoding?: string, method = "GET") {
    const { port } = server.address() as AddressInfo;
    const headers = { host: "localhost", ...(encoding !== undefined && { "accept-encoding": encoding }) };
    const call = request({ host: "127.0.0.1", port, path, method, headers, agent: false }).end();
    const [response] = await once(call, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
  }

  const READERS = { gzip: gunzipSync, br: brotliDecompressSync } as const;
  for (const coding of ["gzip", "br"] as const) {
    it(`uses ${coding} when the caller accepts it, and gives the compressed length`, async () => {
      const { headers, bytes } = await ask("/long", coding);
      expect(headers["content-encoding"]).to.equal(coding);
      expect(headers["content-length"]).to.equal(String(bytes.length));
      expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(JSON.parse(READERS[coding](bytes).toString("utf8"))).to.deep.equal(LONG);
      expect(bytes.length).to.be.below(1_000);
    });
  }

  const CHOICES: readonly (readonly [string | undefined, string | undefined])[] = [
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["gzip;q=0", undefined],
    ["identity, gzip;q=0.5", undefined],
    ["gzip;q=nonsense", undefined],
    [";;;,,,=", undefined],
    ["*;q=0", undefined],
    ["identity;q=0", undefined],
    ["identity;q=0, *;q=0", undefined],
    [`${"x,".repeat(5_000)}`, undefined],
    ["gzip, deflate, br", "gzip"],
    ["gzip;q=0.5, br;q=0.9", "br"],
    ["br;q=0, gzip", "gzip"],
    ["identity;q=0, gzip", "gzip"],
    ["*", "gzip"],
    ["GZIP", "gzip"],
  ];
  for (const [encoding, coding] of CHOICES) {
    it(`chooses ${coding ?? "none"} for Accept-Encoding ${JSON.stringify(encoding?.slice(0, 40))}`, async () => {
      const answer = await ask("/long", encoding);
      expect(answer.status).to.equal(200);
      expect(answer.headers["content-encoding"]).to.equal(coding);
      expect(answer.headers.vary).to.equal("Accept-Encoding");
    });
  }

  it("leaves a short body uncompressed, unless the caller excludes that", async () => {
    expect((await ask("/short", "gzip")).headers["content-encoding"]).to.equal(undefined);
    expect((await ask("/short", "gzip, identity;q=0")).headers["content-encoding"]).to.equal("gzip");
    expect((await ask("/empty", "gzip")).headers["content-encoding"]).to.equal(undefined);
  });

  it("applies to refusals too", async () => {
    const { status, headers, bytes } = await ask("/broken", "gzip");
    expect(status).to.equal(500);
    expect(headers["content-encoding"]).to.equal("gzip");
    expect(JSON.parse(gunzipSync(bytes).toString("utf8"))).to.deep.equal(LONG);
  });

  it("gives HEAD the same headers as GET, length included (RFC 9110 section 9.3.2)", async () => {
    const COMPARED = [
      "content-type",
      "content-length",
      "content-encoding",
      "vary",
      "cache-control",
      "pragma",
    ];
    for (const path of ["/long", "/short", "/broken"]) {
      for (const encoding of [undefined, "gzip", "br"]) {
        const [head, get] = [await ask(path, encoding, "HEAD"), await ask(path, encoding)];
        expect(head.bytes).to.have.length(0);
        expect(head.status).to.equal(get.status);
        for (const name of COMPARED) expect(head.headers[name], name).to.equal(get.headers[name]);
      }
    }
  });
});
