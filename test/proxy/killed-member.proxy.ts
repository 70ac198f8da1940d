import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "@cobs/service-edge";
import { expect } from "chai";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { eventually } from "../support/eventually.ts";
import { keepConnections, send } from "../support/raw-https.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { type RunningProxy, startProxy } from "./proxy-stand.ts";

const CALLERS = 50;
const MEMBERS = ["127.0.0.1", "127.0.0.2"] as const;
const ANSWER_MILLISECONDS = 20;
/** Between two calls of a caller: other tests run beside this one. */
const PAUSE_MILLISECONDS = 20;
const UNDER_LOAD_MILLISECONDS = 1_500;
/** The end of a connection, and a call that crosses it, may be seen as late as this on a busy machine; a check fails later. */
const SEEN_MILLISECONDS = 1_000;

/** One process of a service, which has as many calls open as it has not answered. */
interface Member {
  readonly port: number;
  readonly open: number;
  /** All its connections end and none can be made, as when the process is killed. */
  kill(): void;
}

async function openMember(certificates: SandboxCertificates, host: string, port: number): Promise<Member> {
  const { certificateFile, keyFile } = certificates.server.auth;
  const [cert, key] = [readFileSync(certificateFile), readFileSync(keyFile)];
  let open = 0;
  const server: Server = createServer({ cert, key }, async (_request, response) => {
    open += 1;
    await delay(ANSWER_MILLISECONDS);
    open -= 1;
    response.end();
  });
  const listener = await listen(server, { name: "member", host, port });
  return {
    port: listener.port,
    get open() {
      return open;
    },
    kill: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("Member that is killed behind Envoy", () => {
  let members: readonly [Member, Member];
  let proxy: RunningProxy;
  let ca: Buffer;
  before(async () => {
    const certificates = await testCertificates();
    ca = readFileSync(certificates.caFile);
    const first = await openMember(certificates, MEMBERS[0], 0);
    members = [first, await openMember(certificates, MEMBERS[1], first.port)];
    proxy = await startProxy("envoy", { certificates, authApi: first.port, members: MEMBERS });
  });
  after(async () => {
    await proxy?.stop();
    for (const each of members ?? []) each.kill();
  });

  it("loses only the calls that are open in it, and none that come while it still counts as ready", async () => {
    const agent = keepConnections();
    const failed: number[] = [];
    let isLoaded = true;
    const caller = async () => {
      while (isLoaded) {
        const begun = performance.now();
        const { status } = await send({ host: "127.0.0.1", port: proxy.apiPort, path: "/", ca, agent });
        if (status !== 200) failed.push(begun);
        await delay(PAUSE_MILLISECONDS);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    let killed = 0;
    try {
      await eventually(() => members.every(({ open }) => open > 5));
      expect(failed).to.deep.equal([]);
      members[1].kill();
      killed = performance.now();
      await delay(UNDER_LOAD_MILLISECONDS);
    } finally {
      isLoaded = false;
      await callers;
      agent.destroy();
    }
    expect(failed.filter((begun) => begun > killed + SEEN_MILLISECONDS)).to.have.length(0);
    expect(failed).to.have.length.within(1, CALLERS);
  });
});
