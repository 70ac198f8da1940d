import { createJobMetrics, createLog, createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";

describe("Job metrics", () => {
  it("count successful and failed rounds, and give the time of the last success", async () => {
    const metrics = createMetrics("test");
    const began = Date.now() / 1000;
    let rounds = 0;
    const job = createJobMetrics(metrics, createLog("test", "silent"))("sweeping")(
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
    expect(valueOfMetric('job_rounds_total{name="sweeping",outcome="done"')).to.equal(2);
    expect(valueOfMetric('job_rounds_total{name="sweeping",outcome="failed"')).to.equal(1);
    expect(valueOfMetric('job_last_success_timestamp_seconds{name="sweeping"')).to.be.at.least(
      Math.floor(began),
    );
    expect(valueOfMetric("job_duration_seconds_count")).to.equal(2);
  });

  it("give the time since when a job has been due, and the time of its last success later", async () => {
    const metrics = createMetrics("test");
    const lastSuccess = async () => {
      const line = /^job_last_success_timestamp_seconds\{name="sweeping".*\} (\S+)$/m;
      return Number(line.exec((await metrics.present()).body)?.[1]);
    };
    let rounds = 0;
    const round = async () => {
      rounds += 1;
      return 60_000;
    };
    const job = createJobMetrics(metrics, createLog("test", "silent"))("sweeping")(round, () => 0, 100);
    const [started, before] = [await lastSuccess(), rounds];
    expect(before, "its first pause").to.equal(0);
    await eventually(() => rounds === 1);
    await job.stop();
    expect(await lastSuccess()).to.be.greaterThan(started);
  });

  it("leave the reason to the log, once for several failures in a row, database outages included", async () => {
    const { log, lines } = readableLog();
    const away = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
    const failing = new Set([2, 3, 5]);
    let rounds = 0;
    const job = createJobMetrics(createMetrics("test"), log)("sweeping")(
      async () => {
        rounds += 1;
        if (failing.has(rounds)) throw away;
        return rounds === 6 ? 60_000 : 0;
      },
      () => 0,
    );
    await eventually(() => rounds === 6);
    await job.stop();
    const told = lines.map(({ msg, job: name, error }) => [msg, name, Object(error).message]);
    const once = [
      ["a job failed; it will be retried", "sweeping", away.message],
      ["a job succeeds again", "sweeping", undefined],
    ];
    expect(told).to.deep.equal([...once, ...once]);
  });
});
