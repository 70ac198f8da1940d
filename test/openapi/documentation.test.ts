import { gunzipSync } from "node:zlib";
import { listOperations } from "@cobs/cobs-model/openapi";
import { expect } from "chai";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { runResource } from "../resource/running-resource.ts";
import { DOCUMENT } from "./interface-document.ts";

const FILES = /(?:href|src)="(\/docs\/[a-z]+\.[0-9a-f]{16}\.(css|js))"/g;
const TYPES = new Map([
  ["css", "text/css; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
]);

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

describe("the interface as it is shown", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth?.stop());

  const filesOf = (html: string) =>
    [...html.matchAll(FILES)].map(([, path = "", ending = ""]) => ({ path, ending }));

  it("is the same document at both services, for whoever asks", async () => {
    const resource = await runResource();
    const answers = [
      await auth.browse({ path: "/openapi.json" }),
      await resource.call({ certificate: null, path: "/cobs/2.0/openapi.json" }),
    ];
    await resource.stop();
    for (const { status, headers, body } of answers) {
      expect(status).to.equal(200);
      expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(headers["cache-control"]).to.equal("no-store");
      expect(JSON.parse(body)).to.deep.equal(JSON.parse(JSON.stringify(DOCUMENT)));
    }
  });

  it("can be read without a script: every operation with its address, its purpose and its statuses", async () => {
    const { status, body } = await auth.browse({ path: "/docs" });
    expect(status).to.equal(200);
    const lines = listOperations(DOCUMENT);
    expect(lines).to.have.length.greaterThan(30);
    for (const { method, server, path, summary, statuses } of lines) {
      expect(body).to.contain(`<code>${method} ${server}${path}</code>`);
      expect(body).to.contain(escaped(summary));
      expect(body).to.contain(statuses.join(", "));
    }
  });

  it("has a frame in Czech and in English, under the policy of every page", async () => {
    const czech = await auth.browse({ path: "/docs", headers: { "accept-language": "cs" } });
    const english = await auth.browse({ path: "/docs?lang=en", headers: { "accept-language": "cs" } });
    expect(czech.body).to.contain("Rozhraní pro poskytovatele služeb");
    expect(english.body).to.contain("Interface for third party providers");
    for (const { body, headers } of [czech, english]) {
      expect(headers["content-security-policy"]).to.not.match(/unsafe|http|connect-src/);
      expect(body).to.not.match(
        /<script(?! src="\/docs\/[\w.]+" defer><\/script>)|<style|\sstyle=|\son\w+=/i,
      );
    }
  });

  it("loads its files from here alone, under names that change with them, kept for ever", async () => {
    const files = filesOf((await auth.browse({ path: "/docs" })).body);
    expect(files.map(({ ending }) => ending)).to.deep.equal(["css", "css", "js", "js", "js"]);
    for (const { path, ending } of files) {
      const { status, headers, body } = await auth.browse({ path });
      expect(status, path).to.equal(200);
      expect(headers["content-type"]).to.equal(TYPES.get(ending));
      expect(headers["cache-control"]).to.equal("public, max-age=31536000, immutable");
      expect(body).to.have.length.greaterThan(100);
    }
    for (const path of [
      "/docs/viewer.js",
      "/docs/..%2fpages.css",
      "/docs/",
      files[0]?.path.replace("css", "js") ?? "",
    ])
      expect((await auth.browse({ path })).status, path).to.equal(404);
  });

  it("compresses its files for browsers that ask for it (RFC 9110 12.5.3)", async () => {
    const { path = "" } =
      filesOf((await auth.browse({ path: "/docs" })).body).find(({ ending }) => ending === "js") ?? {};
    const plain = await auth.browse({ path, headers: { "accept-encoding": "gzip;q=0, br" } });
    expect(plain.headers).to.not.have.property("content-encoding");
    expect(plain.headers.vary).to.equal("Accept-Encoding");
    const small = await auth.browse({ path, headers: { "accept-encoding": "gzip, br" } });
    expect(small.headers["content-encoding"]).to.equal("gzip");
    expect(gunzipSync(small.bytes).toString()).to.equal(plain.body);
    expect(small.bytes.length).to.be.lessThan(plain.bytes.length / 2);
  });
});
