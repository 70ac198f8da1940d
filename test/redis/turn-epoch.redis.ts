import { expect } from "chai";
import { type OperatorScene, openOperatorScene } from "../auth/operator/operator-scene.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";

describe("Operator's order to end the epoch of Redis", function turnEpoch() {
  this.timeout(120_000);
  let server: RedisServer;
  let scene: OperatorScene;
  before(async () => {
    server = await startRedis();
    scene = await openOperatorScene({ REDIS_URL: server.url });
  });
  after(async () => {
    await scene?.stop();
    await server?.stop();
  });

  const epochNow = async () => {
    const statement = { name: "", text: "SELECT epoch FROM ephemeral_epoch", values: [] };
    return (await scene.auth.database.run<{ epoch: string }>(statement))[0]?.epoch;
  };

  it("begins a new one, is recorded in the same transaction, and costs no token", async () => {
    const given = await scene.give(await scene.register());
    const former = await epochNow();
    const { status, json, requestId } = await scene.order("POST", "/redis/turn-epoch", { reason: "drill" });
    expect([status, json]).to.deep.equal([200, { result: "turned" }]);
    expect(await epochNow()).not.to.equal(former);
    const { entries } = (await scene.order("GET", "/audit?action=redis.epoch_ended")).json;
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({ requestId, details: { next: await epochNow(), note: "drill" } });
    expect(await scene.isActive(given.accessToken)).to.equal(true);
    expect((await scene.refresh(given)).status).to.equal(200);
    await scene.give(given.application);
  });

  it("needs a reason", async () => {
    const former = await epochNow();
    expect((await scene.order("POST", "/redis/turn-epoch", {})).status).to.equal(400);
    expect(await epochNow()).to.equal(former);
  });
});
