import { once } from "node:events";
import http, { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { awaitReady } from "../../../packages/sandbox/src/start/await-ready.ts";

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
    const running = { pid: process.pid, ended, stop: async () => {}, hurry: () => {} };
    await awaitReady({ name: "auth", operatorPort: port, logFile: "", running });
    server.close();
    await ended;
  });
});
