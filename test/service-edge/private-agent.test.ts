import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { openPrivateAgent, type PrivateAgent } from "@cobs/service-edge";
import { expect } from "chai";
import { request } from "undici";
import { testCertificates } from "../support/test-certificates.ts";

/** Longer than a few calls take, and short enough to wait for. */
const USED_FOR_MILLISECONDS = 1_000;

describe("Connections to a service inside the bank", () => {
  let server: Server;
  let agent: PrivateAgent;
  let url: string;
  let connections = 0;
  let resumed = 0;

  before(async () => {
    const { server: servers, privateCaFile } = await testCertificates();
    const { certificateFile, keyFile } = servers.authBank;
    const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile), keepAliveTimeout: 65_000 };
    server = createServer(tls, ({ url: path }, response) => {
      setTimeout(() => response.end("answer"), path === "/slow" ? 2 * USED_FOR_MILLISECONDS : 0);
    });
    server.on("secureConnection", (socket) => {
      connections += 1;
      if (socket.isSessionReused()) resumed += 1;
    });
    await once(server.listen(0, "localhost"), "listening");
    const address = server.address();
    url = `https://localhost:${typeof address === "object" ? address?.port : ""}`;
    agent = openPrivateAgent({
      authority: readFileSync(privateCaFile, "utf8"),
      connectMilliseconds: 5_000,
      usedForMilliseconds: USED_FOR_MILLISECONDS,
    });
  });
  after(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function ask(path: string): Promise<string> {
    const answer = await request(`${url}${path}`, { dispatcher: agent.current() });
    return answer.body.text();
  }

  it("are used for a time only, so that a name that moves is followed; calls under way on them end", async () => {
    const slow = ask("/slow");
    const from = performance.now();
    // Never idle for long enough to be closed for that.
    while (performance.now() - from < 2.5 * USED_FOR_MILLISECONDS) {
      await ask("/quick");
      await new Promise((resolve) => setTimeout(resolve, USED_FOR_MILLISECONDS / 10));
    }
    expect(await slow).to.equal("answer");
    expect(connections, "beside the one of the slow call").to.be.at.least(3);
    expect(resumed, "where the certificate would not be verified").to.equal(0);
  });

  it("are not opened for calls that begin after the close, however long after", async () => {
    const usedForMilliseconds = 1;
    const closed = openPrivateAgent({ authority: [], connectMilliseconds: 5_000, usedForMilliseconds });
    await closed.destroy();
    const from = performance.now();
    while (performance.now() - from < 2 * usedForMilliseconds) await new Promise(setImmediate);
    const outcome = await request(url, { dispatcher: closed.current() }).catch(({ code }) => code);
    expect(outcome).to.equal("UND_ERR_DESTROYED");
  });
});
