import { gunzipSync } from "node:zlib";
import { listOperations, type OpenApiDocument } from "@cobs/cobs-model/openapi";
import { expect } from "chai";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { runResource } from "../resource/running-resource.ts";
import { DOCUMENT, DOCUMENT_OF_RESOURCE } from "./interface-document.ts";

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

describe("the published description of the interface", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth?.stop());

  const filesOf = (html: string) =>
    [...html.matchAll(FILES)].map(([, path = "", ending = ""]) => ({ path, ending }));

  const AT_RESOURCE = { certificate: null, path: "/cobs/2.0/openapi.json" };

  it("is the same at both services for everybody, except for what auth does not know of this bank", async () => {
    const resource = await runResource();
    const answers = [
      [DOCUMENT, await auth.browse({ path: "/openapi.json" })],
      [DOCUMENT_OF_RESOURCE, await resource.call(AT_RESOURCE)],
    ] as const;
    await resource.stop();
    for (const [document, { status, headers, body }] of answers) {
      expect(status).to.equal(200);
      expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(headers["cache-control"]).to.equal("no-store");
      expect(JSON.parse(body)).to.deep.equal(JSON.parse(JSON.stringify(document)));
    }
    const { "TPP-Name": name, "User-Involved": involved } = DOCUMENT.components.parameters;
    expect([name?.name, involved?.name]).to.deep.equal(["TPP-Name", "User-Involved"]);
    const parameters = {
      ...DOCUMENT_OF_RESOURCE.components.parameters,
      "TPP-Name": name,
      "User-Involved": involved,
    };
    const components = { ...DOCUMENT_OF_RESOURCE.components, parameters };
    expect({ ...DOCUMENT_OF_RESOURCE, components }).to.deep.equal(DOCUMENT);
  });

  describe("of headers that depend on the bank (A-11, A-12)", () => {
    const headersAt = async (environment: Readonly<Record<string, string>>) => {
      const resource = await runResource(environment);
      const { body } = await resource.call(AT_RESOURCE);
      await resource.stop();
      const document: OpenApiDocument = JSON.parse(body);
      const headersOf = (path: string, method: "get" | "post" | "delete") =>
        (document.paths[path]?.[method]?.parameters ?? [])
          .map((each) =>
            "$ref" in each ? document.components.parameters[each.$ref.split("/").at(-1) ?? ""] : each,
          )
          .flatMap((each) => (each?.in === "header" ? [[each.name, each] as const] : []));
      return (path: string, method: "get" | "post" | "delete" = "get") =>
        Object.fromEntries(headersOf(path, method));
    };
    const LIST = "/cobs/2.0/my/accounts";

    it("says where TPP-Name is required if the bank requires it", async () => {
      const headersOf = await headersAt({ TPP_NAME: "required" });
      for (const path of [LIST, "/cobs/2.0/payments/{paymentId}/status"]) {
        expect(headersOf(path)["TPP-Name"]).to.include({ required: true });
        expect(headersOf(path)["TPP-Name"]?.description).to.include("It is required, as in the standard");
      }
      const card = headersOf("/cobs/2.0/accounts/balanceCheck", "post");
      const deletion = headersOf("/cobs/2.0/my/payments/{paymentId}", "delete");
      for (const free of [card, deletion]) expect(free["TPP-Name"]).to.include({ required: false });
    });

    it("says how a call without User-Involved is treated", async () => {
      const absent = (await headersAt({ USER_INVOLVED_DEFAULT: "unattended" }))(LIST);
      expect(absent["User-Involved"]?.description).to.include("Without it, the PSU counts as absent.");
      const online = (await headersAt({}))(LIST);
      expect(online["User-Involved"]?.description).to.include("Without it, the PSU counts as online.");
      expect(online["TPP-Name"]).to.include({ required: false });
    });

    it("says at auth, which does not know, what a bank may do and where it is described", () => {
      for (const name of ["TPP-Name", "User-Involved"])
        expect(DOCUMENT.components.parameters[name]?.description)
          .to.include("unless the bank")
          .and.include("`/cobs/2.0/openapi.json`");
    });
  });

  it("can be read without a script: every operation with its address, purpose and statuses", async () => {
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

  it("has a page in Czech and in English, under the content security policy of every page", async () => {
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

  it("loads its files from its own server alone, under names that change with their content, cached for ever", async () => {
    const files = filesOf((await auth.browse({ path: "/docs" })).body);
    expect(files.map(({ ending }) => ending)).to.deep.equal(["css", "css", "js", "js", "js"]);
    for (const { path, ending } of files) {
      const { status, headers, body } = await auth.browse({ path });
      expect(status, path).to.equal(200);
      expect(headers["content-type"]).to.equal(TYPES.get(ending));
      expect(headers["cache-control"]).to.equal("public, max-age=31536000, immutable");
      expect(headers, "contradicts it (RFC 9111 5.4)").to.not.have.property("pragma");
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
