import { createJobMetrics, createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";

describe("the figures of jobs", () => {
  it("tell rounds that were done and that failed, and when the last one was done", async () => {
    const metrics = createMetrics("test");
    const began = Date.now() / 1000;
    let rounds = 0;
    const job = createJobMetrics(metrics)("sweeping")(
      async () => {
        rounds += 1;
        if (rounds === 2) throw new Error("not this time");
        return rounds === 3 ? 60_000 : 0;
      },
      () => 0,
    );
    await eventually(() => rounds === 3);
    await job.stop();
    const lines = (await metrics.present()).body.split("\n");
    const valueOfMetric = (start: string) =>
      Number(
        lines
          .find((line) => line.startsWith(start))
          ?.split(" ")
          .at(-1),
      );
    expect(valueOfMetric('job_rounds_total{job="sweeping",outcome="done"')).to.equal(2);
    expect(valueOfMetric('job_rounds_total{job="sweeping",outcome="failed"')).to.equal(1);
    expect(valueOfMetric('job_last_success_timestamp_seconds{job="sweeping"')).to.be.at.least(
      Math.floor(began),
    );
    expect(valueOfMetric("job_duration_seconds_count")).to.equal(2);
  });
});
