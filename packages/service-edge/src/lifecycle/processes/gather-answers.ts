import { AggregatorRegistry } from "prom-client";
import type { ProcessFigures } from "./messages.ts";
import type { ServingProcess } from "./serving-process.ts";

type Asked = Pick<ServingProcess, "ask">;
type Checks = Readonly<Record<string, boolean>>;

/**
 * What `/readyz` says of several processes: they share their ports, so that one that is ready can take the next call. Its
 * checks are given, else those of one that is not.
 */
export async function gatherReadiness(processes: readonly Asked[]): Promise<Checks> {
  const answers = (await Promise.all(processes.map((each) => each.ask("readiness")))).filter(isChecks);
  const ready = answers.find((checks) => Object.values(checks).every(Boolean));
  return { ...(ready ?? answers[0]), process: ready !== undefined };
}

/**
 * The metrics of all that answer, in one text. Each series has the number of its process: the counters of one that was
 * started anew begin with nothing, and a sum over both would seem to fall. So none is added to another, and none is left out,
 * such as the moment at which a process began.
 */
export async function gatherMetrics(
  processes: readonly Asked[],
): Promise<{ readonly type: string; readonly body: string }> {
  const answers = await Promise.all(processes.map((each) => each.ask("metrics")));
  const registry = AggregatorRegistry.aggregate(answers.filter(isFigures).map(eachAsItIs));
  return { type: registry.contentType, body: await registry.metrics() };
}

function eachAsItIs(figures: ProcessFigures) {
  return figures.map((metric) => ({ ...metric, aggregator: "sum" as const }));
}

function isChecks(value: unknown): value is Checks {
  return typeof value === "object" && value !== null;
}

function isFigures(value: unknown): value is ProcessFigures {
  return Array.isArray(value);
}
