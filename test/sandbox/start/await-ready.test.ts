import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http, { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { awaitReady } from "../../../packages/sandbox/src/start/await-ready.ts";
import { startService } from "../../../packages/sandbox/src/start/start-service.ts";
import { freePort } from "../../support/free-port.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** As the one that Node has for NODE_USE_ENV_PROXY and HTTP_PROXY; the proxy is not there. */
const PROXYING = Object.assign(new Agent(), {
  createConnection: () => {
    throw new Error("connect ECONNREFUSED, the proxy");
  },
});

describe("Readiness of a sandbox service", () => {
  const agent = http.globalAgent;
  afterEach(() => {
    http.globalAgent = agent;
  });

  it("is asked on loopback, whatever proxy Node is configured with", async () => {
    const server = createServer((_, answer) => answer.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    http.globalAgent = PROXYING;
    const ended = new Promise<string>((resolve) => server.once("close", () => resolve("closed")));
    const running = { pid: process.pid, ended, logStart: 0, stop: async () => {}, hurry: () => {} };
    await awaitReady({ name: "auth", operatorPort: port, logFile: "", running });
    server.close();
    await ended;
  });

  it("is refused with what a service that ended has logged since its start, and nothing of earlier ones", async () => {
    const folder = temporaryFolder();
    try {
      const logFile = join(folder.path, "auth.log");
      writeFileSync(logFile, "auth: the former fault, mended since\n");
      const running = startService({
        command: [process.execPath, "-e", "console.error('auth: the present fault')"],
        environment: {},
        logFile,
      });
      await running.ended;
      const refused = await rejectionOf(
        awaitReady({ name: "auth", operatorPort: await freePort(), logFile, running }),
      );
      expect(refused.message).to.match(/auth\.log:\nauth: the present fault$/);
    } finally {
      folder.remove();
    }
  });
});
