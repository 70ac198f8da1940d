import { expect } from "chai";
import { Histogram, Registry } from "prom-client";
import { DurationMetric } from "../../packages/service-edge/src/metrics/duration-metric.ts";

const OPTIONS = { name: "waits_seconds", help: "Waits.", labelNames: ["place"], buckets: [0.1, 1] };
const WAITS = [
  ["here", 0.05],
  ["here", 0.1],
  ["here", 0.5],
  ["here", 7],
  ["there", 1],
] as const;

/** The same durations in a histogram of `prom-client` and in ours, each in a registry of its own. */
function bothRegistries(): readonly [plain: Registry, own: Registry] {
  const [plain, own] = [new Registry(), new Registry()];
  for (const registry of [plain, own]) registry.setDefaultLabels({ service: "auth" });
  const histogram = new Histogram({ ...OPTIONS, registers: [plain] });
  const metric = new DurationMetric({ ...OPTIONS, registry: own });
  const kinds = { here: metric.kind({ place: "here" }), there: metric.kind({ place: "there" }) };
  for (const [place, seconds] of WAITS) {
    histogram.observe({ place }, seconds);
    metric.add(kinds[place], seconds);
  }
  return [plain, own];
}

/** Series with their values, in whatever order labels are written. */
function seriesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\{(.*)\}/, (_, labels) => labels.split(",").sort().join()));
}

describe("Histogram of durations by kind", () => {
  it("gives a scrape what a histogram of prom-client gives", async () => {
    const [plain, own] = bothRegistries();
    expect(seriesOf(await own.metrics())).to.deep.equal(seriesOf(await plain.metrics()));
  });

  it("gives the first of several processes what a histogram of prom-client gives", async () => {
    const [plain, own] = bothRegistries();
    // Exemplars, of which there are none here, aside.
    const valuesIn = async (registry: Registry) => {
      const metrics = await registry.getMetricsAsJSON();
      const values = metrics.flatMap((metric) => ("values" in metric ? metric.values : []));
      return values.map(({ labels, value, ...more }) => ({
        labels,
        value,
        of: Reflect.get(more, "metricName"),
      }));
    };
    expect(await valuesIn(own)).to.have.deep.members(await valuesIn(plain));
  });
});
