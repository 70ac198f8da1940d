import { expect } from "chai";
import { authorizePath, openBrowser, signIn } from "../auth/psu-browser.ts";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { register } from "../auth/test-application.ts";
import { type CuttableTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";

describe("One of two auth processes, alone without its Redis", function oneCutOff() {
  this.timeout(120_000);
  let server: RedisServer;
  let tunnel: CuttableTunnel;
  let auth: RunningAuth;
  let cutOff: RunningAuth;
  before(async () => {
    server = await startRedis();
    tunnel = await openTunnel(server.port);
    auth = await runAuth({ REDIS_URL: server.url });
    const url = server.url.replace(`:${server.port}`, `:${tunnel.port}`);
    cutOff = await runAuth({ REDIS_URL: url }, auth);
    await tunnel.cut();
  });
  after(async () => {
    await cutOff?.stop();
    await auth?.stop();
    await server?.stop();
  });

  it("stays ready, refuses PSUs with 503, and ends no journey of theirs at the other one", async () => {
    let at = auth;
    const browser = openBrowser({ ...auth, browse: (call) => at.browse(call) });
    const page = await browser.follow(await browser.get(authorizePath(await register(auth))));
    at = cutOff;
    await eventually(async () => (await signIn(auth, browser, page)).status === 503);
    expect((await fetch(`http://127.0.0.1:${cutOff.ports.operator}/readyz`)).status).to.equal(200);
    at = auth;
    const asked = await browser.follow(await signIn(auth, browser, page));
    const back = await browser.follow(await browser.post(asked, "consent", { choice: "all" }));
    expect(String(back.headers.location)).to.match(/[?&]code=/);
  });
});
