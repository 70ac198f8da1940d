import { createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { addReadinessMetrics } from "../../packages/service-edge/src/metrics/readiness-metrics.ts";
import type { ReadinessCheck } from "../../packages/service-edge/src/operator-listener.ts";

describe("Readiness metrics", () => {
  function begin(first: ReadinessCheck) {
    const metrics = createMetrics("test");
    const asked = { readiness: first };
    addReadinessMetrics(metrics, { running: true }, () => asked.readiness());
    const shown = async () =>
      (await metrics.present()).body.split("\n").filter((line) => line.startsWith("service_ready"));
    return { asked, shown };
  }

  it("report each check by name", async () => {
    const { shown } = begin(async () => ({ database: true, authKeys: false }));
    expect(await shown()).to.have.members([
      'service_ready{check="database",service="test"} 1',
      'service_ready{check="authKeys",service="test"} 0',
    ]);
  });

  it("drop a check that was made only while the process started", async () => {
    const { asked, shown } = begin(async () => ({ started: false, database: false }));
    expect(await shown()).to.include('service_ready{check="started",service="test"} 0');
    asked.readiness = async () => ({ database: true });
    expect(await shown()).to.deep.equal(['service_ready{check="database",service="test"} 1']);
  });

  it("drop former results once readiness cannot be determined", async () => {
    const { asked, shown } = begin(async () => ({ database: true }));
    await shown();
    asked.readiness = () => Promise.reject(new Error("no answer"));
    expect(await shown()).to.deep.equal(['service_ready{check="readiness",service="test"} 0']);
  });
});
