import { AggregatorRegistry, type Registry } from "prom-client";
import type { ProcessFigures } from "./messages.ts";
import type { ServingProcess } from "./serving-process.ts";

type Asked = Pick<ServingProcess, "ask">;
type Checks = Readonly<Record<string, boolean>>;

/**
 * Answers `/readyz` for several processes. They share their ports, so one ready process is enough to take the next call.
 * Returns the checks of the first ready process at once, otherwise those of one that is not ready.
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
 * Joins the metrics of all processes that answer, and the first process's `own`, in one text. Each series is labelled with the
 * number of its process. Series are not summed, because the counters of a restarted process begin at zero and a sum would seem
 * to fall. Nothing is left out either, such as the time at which a process started.
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
