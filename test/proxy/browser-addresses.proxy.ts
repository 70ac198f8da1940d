import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { expect } from "chai";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { type RawAnswer, send } from "../support/raw-https.ts";
import { forwardedBy, PROXY_KINDS, type RunningProxy, startProxy } from "./proxy-stand.ts";

const CALLS = 30;
const OF_ONE_ADDRESS = 6;
/** Two callers somewhere else. */
const [FAR, FARTHER] = ["203.0.113.9", "203.0.113.10"];
/** Two callers on this machine. */
const [HOME, NEIGHBOUR] = ["127.0.0.3", "127.0.0.4"];

for (const [kind, name] of PROXY_KINDS)
  describe(`Limits by address behind ${name}`, () => {
    let auth: RunningAuth;
    let proxy: RunningProxy;
    beforeEach(async () => {
      auth = await runAuth({
        ...forwardedBy(kind),
        BROWSER_PROXIES: "127.0.0.1",
        ADDRESS_REQUESTS_PER_MINUTE: String(OF_ONE_ADDRESS),
      });
      const { certificates, ports } = auth;
      proxy = await startProxy(kind, { certificates, authApi: ports.mutualTls, authBrowser: ports.browser });
    });
    afterEach(async () => {
      await proxy?.stop();
      await auth?.stop();
    });

    /** The page of the PSU's own where a sign-in begins; 200, or 429. */
    const visit = (localAddress: string | undefined, forwarded?: string): Promise<RawAnswer> =>
      send({
        host: "127.0.0.1",
        port: proxy.browserPort,
        localAddress,
        path: "/consents",
        ca: readFileSync(auth.certificates.caFile),
        headers: { host: "localhost:8443", ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) },
      });
    /** The same, as a balancer hands on the connection of somebody else. */
    const visitThrough = (port: number, address: string, forwarded: string): Promise<RawAnswer> =>
      send({
        agent: undefined,
        createConnection: () => handedOnFor(address, port, readFileSync(auth.certificates.caFile)),
        path: "/consents",
        headers: { host: "localhost:8443", "x-forwarded-for": forwarded },
      });
    async function countAnswers(call: (index: number) => Promise<RawAnswer>) {
      const answers = await Promise.all(Array.from({ length: CALLS }, (_, index) => call(index)));
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      return { served: count(200), refused: count(429) };
    }
    function expectLimited({ served, refused }: { readonly served: number; readonly refused: number }): void {
      expect(served).to.be.within(1, OF_ONE_ADDRESS + 4);
      expect(served + refused).to.equal(CALLS);
    }

    it("apply to a caller that sends no address, but not to its neighbour (RL-05)", async () => {
      expectLimited(await countAnswers(() => visit(HOME)));
      expect((await visit(NEIGHBOUR)).status).to.equal(200);
    });

    it("apply to a caller that claims another address with each call (RL-05)", async () => {
      expectLimited(await countAnswers((index) => visit(HOME, `198.51.100.${index}`)));
    });

    it("are not used up by a caller that claims somebody else's address (RL-02)", async () => {
      await countAnswers((index) => visit(HOME, index % 2 === 0 ? NEIGHBOUR : `198.51.100.1, ${NEIGHBOUR}`));
      expect((await visit(NEIGHBOUR)).status).to.equal(200);
    });

    it("apply behind a balancer to the address that it names, whatever the caller claims (RL-05)", async () => {
      const { certificates, ports } = auth;
      const origins = { certificates, authApi: ports.mutualTls, authBrowser: ports.browser };
      const { browserPort, stop } = await startProxy(kind, { ...origins, isBehindBalancer: true });
      const visits = (index: number) => visitThrough(browserPort, FAR, `198.51.100.${index}`);
      expectLimited(await countAnswers(visits));
      expect((await visitThrough(browserPort, FARTHER, FAR)).status).to.equal(200);
      await stop();
    });
  });

/** A connection to the proxy that begins with the first version of the PROXY protocol. */
function handedOnFor(address: string, port: number, ca: Buffer): TLSSocket {
  const socket = connect(port, "127.0.0.1");
  socket.write(`PROXY TCP4 ${address} 127.0.0.1 50000 8443\r\n`);
  return connectTls({ socket, servername: "localhost", ca });
}
