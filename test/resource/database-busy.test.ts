import { DATABASE_TIME_LIMITS } from "@cobs/service-edge";
import { expect } from "chai";
import { type RunningResource, runResource } from "./running-resource.ts";

const ACCOUNTS = "/cobs/2.0/my/accounts";

describe("resource with all of its database connections in use", () => {
  let resource: RunningResource;
  before(async () => {
    const limits = { databaseTimeLimits: DATABASE_TIME_LIMITS, tunnelled: true };
    resource = await runResource({ DATABASE_MAX_CONNECTIONS: "1" }, undefined, limits);
  });
  after(() => resource.stop());

  it("answers 503 with Retry-After in the COBS format to everybody who waits in vain", async () => {
    const token = resource.giveToken();
    expect((await resource.call({ token, path: ACCOUNTS })).status).to.equal(200);
    // The one connection is in use, and its statement takes too long.
    resource.database.stall();
    const calls = Array.from({ length: 4 }, () => resource.call({ token, path: ACCOUNTS }));
    for (const answer of await Promise.all(calls)) {
      expect(answer.status, answer.body).to.equal(503);
      expect(Number(answer.headers["retry-after"])).to.be.within(1, 60);
      expect(JSON.parse(answer.body).errors).to.have.length(1);
    }
  });
});

describe("resource with a stalled database, while calls of a TPP wait for each other", () => {
  let resource: RunningResource;
  before(async () => {
    // So long that one call may fail in it, and no second one behind it.
    const limits = { databaseTimeLimits: DATABASE_TIME_LIMITS, tunnelled: true, callWaitMilliseconds: 4_000 };
    resource = await runResource(
      { DATABASE_MAX_CONNECTIONS: "1", CALLS_AT_ONCE_PER_TPP: "1" },
      undefined,
      limits,
    );
  });
  after(() => resource.stop());

  it("answers all of them with 503 once the first has failed, and none with 429", async () => {
    const token = resource.giveToken();
    expect((await resource.call({ token, path: ACCOUNTS })).status).to.equal(200);
    resource.database.stall();
    const calls = Array.from({ length: 4 }, () => resource.call({ token, path: ACCOUNTS }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).to.deep.equal([503, 503, 503, 503]);
  });
});
