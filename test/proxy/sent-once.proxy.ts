import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { type Listener, listen } from "@cobs/service-edge";
import { expect } from "chai";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { send } from "../support/raw-https.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { PROXY_KINDS, type RunningProxy, startProxy } from "./proxy-stand.ts";

const KEPT_CONNECTIONS = 3;
const CHANGING = ["POST", "PUT", "PATCH", "DELETE"];

/** A service that executes each call and cuts its connection off instead of an answer, but for GET of `/`. */
async function openCuttingOrigin(certificates: SandboxCertificates, executed: string[]): Promise<Listener> {
  const { certificateFile, keyFile } = certificates.server.auth;
  const [cert, key] = [readFileSync(certificateFile), readFileSync(keyFile)];
  const server = createServer({ cert, key }, (request, response) => {
    if (request.url === "/") return void response.end();
    request.resume().on("end", () => {
      executed.push(request.method ?? "");
      request.socket.destroy();
    });
  });
  return listen(server, { name: "cutting", host: "127.0.0.1", port: 0 });
}

for (const [kind, name] of PROXY_KINDS)
  describe(`Call behind ${name} that is cut off after its execution, on a kept connection,`, () => {
    const executed: string[] = [];
    let origin: Listener;
    let proxy: RunningProxy;
    before(async () => {
      const certificates = await testCertificates();
      origin = await openCuttingOrigin(certificates, executed);
      proxy = await startProxy(kind, { certificates, authApi: origin.port });
    });
    beforeEach(() => void executed.splice(0));
    after(async () => {
      await proxy?.stop();
      await origin?.close(0);
    });

    async function call(method: string, path: string, body?: string): Promise<number> {
      const ca = readFileSync((await testCertificates()).caFile);
      const headers = body === undefined ? {} : { "content-length": String(body.length) };
      return (await send({ port: proxy.apiPort, method, path, ca, headers }, body)).status;
    }
    async function cutOff(method: string, body?: string): Promise<void> {
      await Promise.all(Array.from({ length: KEPT_CONNECTIONS }, () => call("GET", "/")));
      expect(await call(method, "/executed", body)).to.be.within(502, 503);
    }

    for (const method of CHANGING)
      it(`is not sent again if it is ${method}`, async () => {
        await cutOff(method, "{}");
        await cutOff(method);
        expect(executed).to.deep.equal([method, method]);
      });

    if (kind === "haproxy")
      it("is sent again if it is GET", async () => {
        await cutOff("GET");
        expect(executed.length).to.be.above(1);
      });
    else
      it("is not sent again if it is GET", async () => {
        await cutOff("GET");
        expect(executed).to.deep.equal(["GET"]);
      });
  });
