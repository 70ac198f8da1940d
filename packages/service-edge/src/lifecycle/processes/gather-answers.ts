import { AggregatorRegistry, type Registry } from "prom-client";
import type { ProcessFigures } from "./messages.ts";
import type { ServingProcess } from "./serving-process.ts";

type Asked = Pick<ServingProcess, "ask">;
type Checks = Readonly<Record<string, boolean>>;

/**
 * What `/readyz` says of several processes: they share their ports, so that one that is ready can take the next call. Its
 * checks are given at once, whatever becomes of the others; else those of one that is not.
 */
export async function gatherReadiness(processes: readonly Asked[]): Promise<Checks> {
  const asked = processes.map((each) => each.ask("readiness"));
  const ready = await Promise.any(asked.map(requireReady)).catch(() => undefined);
  if (ready !== undefined) return { ...ready, process: true };
  return { ...(await Promise.all(asked)).find(isChecks), process: false };
}

async function requireReady(asked: Promise<unknown>): Promise<Checks> {
  const answer = await asked;
  if (isChecks(answer) && Object.values(answer).every(Boolean)) return answer;
  throw new Error("it is not ready");
}

/**
 * The metrics of all that answer, in one text, and those that the first process has of its `own`. Each series has the number of
 * its process: the counters of one that was started anew begin with nothing, and a sum over both would seem to fall. So none is
 * added to another, and none is left out, such as the moment at which a process began.
 */
export async function gatherMetrics(
  own: Registry,
  processes: readonly Asked[],
): Promise<{ readonly type: string; readonly body: string }> {
  const asked = processes.map((each) => each.ask("metrics"));
  const answers = await Promise.all([own.getMetricsAsJSON(), ...asked]);
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
