import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "@cobs/service-edge";
import { expect } from "chai";
import { send } from "../support/raw-https.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { PROXY_KINDS, type RunningProxy, startProxy } from "./proxy-stand.ts";

const MEMBERS = ["127.0.0.1", "127.0.0.2"] as const;
/** Three checks that are not answered, each within a second, and time for a busy machine. */
const NOTICED_MILLISECONDS = 6_000;
const CALLS = 20;
const PAUSE_MILLISECONDS = 50;
/** Less than the time after which a connection that cannot be made is given up. */
const AT_ONCE_MILLISECONDS = 3_000;

/** One process of a service, which can stop doing anything while the machine goes on to accept connections for it. */
class Member {
  readonly #server: Server;
  readonly #held = new Set<Duplex>();

  constructor(cert: Buffer, key: Buffer) {
    this.#server = createServer({ cert, key }, (_request, response) => void response.end());
  }

  async listen(host: string, port: number): Promise<number> {
    return (await listen(this.#server, { name: "member", host, port })).port;
  }

  hang(): void {
    this.#server.closeAllConnections();
    this.#server.removeAllListeners("connection");
    this.#server.on("connection", (socket) => {
      this.#held.add(socket.on("error", () => undefined));
    });
  }

  close(): void {
    for (const socket of this.#held) socket.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

for (const [kind, name] of PROXY_KINDS.filter(([each]) => each !== "nginx"))
  describe(`Member that hangs behind ${name}`, function hungMember() {
    this.timeout(60_000);
    let members: readonly Member[];
    let proxy: RunningProxy;
    let ca: Buffer;
    before(async () => {
      const certificates = await testCertificates();
      ca = readFileSync(certificates.caFile);
      const { certificateFile, keyFile } = certificates.server.auth;
      members = MEMBERS.map(() => new Member(readFileSync(certificateFile), readFileSync(keyFile)));
      let port = 0;
      for (const [index, host] of MEMBERS.entries()) port = (await members[index]?.listen(host, port)) ?? 0;
      proxy = await startProxy(kind, { certificates, authApi: port, members: MEMBERS });
    });
    after(async () => {
      await proxy?.stop();
      for (const each of members ?? []) each.close();
    });

    async function call(): Promise<{ readonly status: number; readonly milliseconds: number }> {
      const begun = performance.now();
      const { status } = await send({ host: MEMBERS[0], port: proxy.apiPort, path: "/oauth/token", ca });
      return { status, milliseconds: performance.now() - begun };
    }

    it("holds up no call that comes after its third check", async () => {
      expect((await call()).status).to.equal(200);
      proxy.silence(MEMBERS[1]);
      members[1]?.hang();
      await delay(NOTICED_MILLISECONDS);
      for (let calls = 0; calls < CALLS; calls += 1) {
        const { status, milliseconds } = await call();
        expect(status).to.equal(200);
        expect(milliseconds).to.be.lessThan(AT_ONCE_MILLISECONDS);
        await delay(PAUSE_MILLISECONDS);
      }
    });
  });
