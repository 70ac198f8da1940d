import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { ACCOUNTS, HOST } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

describe("the HTTP edge of the resource server", () => {
  let resource: RunningResource;
  let token: string;
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
  });
  after(() => resource.stop());

  function expectErrors(answer: RawAnswer, status: number, error: string): void {
    expect(answer.status).to.equal(status);
    expect(answer.headers["content-type"]).to.match(/^application\/json/);
    const [first] = JSON.parse(answer.body).errors;
    expect(first).to.include({ error });
    expect(first).to.have.all.keys("error", "scope", "parameters", "message");
  }

  describe("paths", () => {
    const UNKNOWN = [
      "/",
      "/cobs/2.0",
      "/cobs/2.0/",
      `${ACCOUNTS}/`,
      "/cobs/2.0/my//accounts",
      "//cobs/2.0/my/accounts",
      "/cobs/2.0/my%2Faccounts",
      "/cobs/2.0/my/%2e%2e/my/accounts",
      "/cobs/2.0/my/../my/accounts",
      "/cobs/2.0/MY/accounts",
      "/cobs/2.0/my/accounts;x=1",
      "/cobs/2.0/my/accounts%00",
      "/cobs/2.0/my/accounts%20",
      "/cobs/3.0/my/accounts",
      "/my/accounts",
      "/bank/psus/psu-many/accounts",
      "/livez",
      "/metrics",
      "/cobs/2.0/my/standingorders",
      "/cobs/2.0/applications",
    ];
    for (const path of UNKNOWN) {
      it(`that are not served get 404 in the standard's format: ${path}`, async () => {
        expectErrors(await resource.call({ token, path }), 404, "NOT_FOUND");
      });
    }

    it("that are not served get the same 404 without a certificate", async () => {
      expectErrors(await resource.call({ certificate: null, path: "/nothing" }), 404, "NOT_FOUND");
    });

    it("with an escape that cannot be decoded get a plain refusal, not 500", async () => {
      const answer = await resource.call({ token, path: `${ACCOUNTS}/%zz/balance` });
      expect(answer.status).to.be.within(400, 501);
      expect(answer.status).not.to.equal(500);
    });

    it("may be given in absolute form (RFC 9112 section 3.2.2)", async () => {
      expect((await resource.call({ token, path: `https://${HOST}${ACCOUNTS}` })).status).to.equal(200);
    });
  });

  describe("methods", () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      it(`other than the allowed ones are refused, and these are named: ${method} (RFC 9110 section 15.5.6)`, async () => {
        const answer = await resource.call({ token, method });
        expectErrors(answer, 405, "NARR");
        expect(answer.headers.allow).to.match(/\bGET\b/);
      });
    }

    it("cannot be overridden by a header", async () => {
      const headers = { "x-http-method-override": "GET", "content-length": "0" };
      expect((await resource.call({ token, method: "POST", headers })).status).to.equal(405);
    });

    it("such as HEAD are admitted like GET, and have no body (RFC 9110 section 9.3.2)", async () => {
      expect((await resource.call({ token, method: "HEAD" })).status).to.equal(200);
      expect((await resource.call({ method: "HEAD" })).status).to.equal(401);
      expect((await resource.call({ token, method: "HEAD" })).body).to.equal("");
    });
  });

  describe("the Host header (RFC 9110 section 7.4)", () => {
    for (const host of ["evil.example", "localhost:8443", "localhost", "127.0.0.1:9443"]) {
      it(`is refused with the right address: ${host}`, async () => {
        const answer = await resource.call({ token, headers: { host } });
        expectErrors(answer, 421, "NARR");
        expect(answer.body).to.contain("use https://localhost:9443");
      });
    }

    it("is compared without regard to letter case", async () => {
      expect((await resource.call({ token, headers: { host: "LOCALHOST:9443" } })).status).to.equal(200);
    });
  });

  describe("requests of unusual size or form", () => {
    it("get 431 for headers beyond 16 kB, and do not affect the next call (RS-20)", async () => {
      expectErrors(await resource.call({ token, headers: { "x-big": "a".repeat(20_000) } }), 431, "NARR");
      expect((await resource.call({ token })).status).to.equal(200);
    });

    it("do no harm with a body of 10 MB where none is read", async () => {
      const body = "x".repeat(10_000_000);
      const headers = { "content-type": "text/plain", "content-length": String(body.length) };
      const answer = await resource.call({ token, headers, body }).catch(() => undefined);
      if (answer !== undefined) expect(answer.status).to.equal(415);
      expect((await resource.call({ token })).status).to.equal(200);
    });

    it("get 415 for a body that is not JSON (A-13)", async () => {
      const headers = { "content-type": "application/xml", "content-length": "4" };
      expectErrors(await resource.call({ token, headers, body: "<a/>" }), 415, "UNSUPPORTED_MEDIA_TYPE");
    });

    it("need no Content-Type without a body, and may name a charset (A-13)", async () => {
      const headers = { "content-type": "application/json; charset=utf-8" };
      expect((await resource.call({ token, headers })).status).to.equal(200);
      expect((await resource.call({ token, headers: { "content-type": "text/plain" } })).status).to.equal(
        200,
      );
    });

    it("get 400 in the standard's format if they are not HTTP", async () => {
      const answer = await writeRaw("NONSENSE\r\n\r\n");
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").errors[0].error).to.equal("NARR");
    });

    it("are refused if they could be read as two (RFC 9112 section 6.1)", async () => {
      const smuggled = `POST ${ACCOUNTS} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`;
      const answer = await writeRaw(smuggled);
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      expect(answer.match(/HTTP\/1\.1/g)).to.have.length(1);
    });
  });

  /** Writes bytes on a TLS connection and reads until the other side closes. */
  function writeRaw(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(
        {
          host: "localhost",
          port: resource.ports.mutualTls,
          servername: "localhost",
          ca: readFileSync(resource.certificates.caFile),
        },
        () => socket.write(bytes),
      );
      let answer = "";
      socket.setEncoding("utf8");
      socket.on("data", (chunk: string) => {
        answer += chunk;
      });
      socket.on("end", () => resolve(answer));
      socket.on("error", reject);
    });
  }
});
