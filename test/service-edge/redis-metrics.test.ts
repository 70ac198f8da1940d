import { createMetrics, createRedisMetrics } from "@cobs/service-edge";
import { expect } from "chai";

describe("Redis metrics", () => {
  it("begin the failures of a script at 0 when it first runs, so that the first failure counts as growth", async () => {
    const metrics = createMetrics("auth");
    const redis = createRedisMetrics(metrics);
    const failures = async () =>
      (await metrics.present()).body.split("\n").filter((line) => line.startsWith("redis_failures_total{"));
    redis.ran("ephemeral-put", { seconds: 0.001, answered: true });
    expect(await failures()).to.deep.equal(['redis_failures_total{script="ephemeral-put",service="auth"} 0']);
    redis.ran("ephemeral-put", { seconds: 0.001, answered: false });
    expect(await failures()).to.deep.equal(['redis_failures_total{script="ephemeral-put",service="auth"} 1']);
  });
});
