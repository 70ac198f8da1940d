import { createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { Registry } from "prom-client";
import {
  gatherMetrics,
  gatherReadiness,
} from "../../../../packages/service-edge/src/lifecycle/processes/gather-answers.ts";
import { addPoolMetrics } from "../../../../packages/service-edge/src/metrics/pool-metrics.ts";

describe("Readiness of several processes", () => {
  const process = (answer: unknown) => ({ ask: async () => answer });
  const [ready, waiting] = [process({ database: true }), process({ running: true, database: false })];
  const hung = { ask: () => new Promise<unknown>(() => undefined) };

  it("is that of one that is ready, however long the others take", async () => {
    for (const all of [
      [hung, ready],
      [ready, hung],
      [waiting, hung, ready],
    ])
      expect(await gatherReadiness(all)).to.deep.equal({ database: true, process: true });
  });

  it("shows the checks of one that answers when none is ready", async () => {
    expect(await gatherReadiness([process(undefined), waiting])).to.deep.equal({
      running: true,
      database: false,
      process: false,
    });
    expect(await gatherReadiness([])).to.deep.equal({ process: false });
  });
});

describe("Metrics of several processes", () => {
  it("include every series of each process, labelled with its number", async () => {
    const processes = ["1", "2"].map((number) => {
      const metrics = createMetrics("test");
      metrics.registry.setDefaultLabels({ service: "test", process: number });
      metrics.observe({ listener: "bank", route: "/", method: "GET", status: 200, seconds: 0.1 });
      return metrics;
    });
    const asked = processes.map(({ registry }) => ({ ask: () => registry.getMetricsAsJSON() }));
    const hung = { ask: async () => undefined };
    const { body } = await gatherMetrics(new Registry(), [hung, ...asked]);
    const named = (text: string) => [...text.matchAll(/^([a-z_]+)\{/gm)].map(([, name]) => name);
    for (const number of ["1", "2"]) {
      expect(body).to.match(new RegExp(`^http_requests_total\\{.*process="${number}".*\\} 1$`, "m"));
      expect(body).to.match(
        new RegExp(`^process_start_time_seconds\\{.*process="${number}".*\\} \\d+$`, "m"),
      );
    }
    const [first] = processes;
    expect(named(body)).to.include.members([...new Set(named((await first?.present())?.body ?? ""))]);
  });

  it("include those of the first process even when no other is left, to say how many are missing", async () => {
    const own = new Registry();
    own.setDefaultLabels({ service: "test" });
    addPoolMetrics(own, { wanted: 4, ready: () => 0 });
    for (const processes of [[], [{ ask: async () => undefined }]]) {
      const { body } = await gatherMetrics(own, processes);
      expect(body.match(/^processes_\w+\{.*$/gm)).to.deep.equal([
        'processes_wanted{service="test"} 4',
        'processes_ready{service="test"} 0',
      ]);
    }
  });
});
