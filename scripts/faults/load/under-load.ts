import { setTimeout as delay } from "node:timers/promises";
import { type EndedProcess, whoLost } from "../../topology/load/lost-calls.ts";
import type { EndedCall } from "../../topology/load/record-calls.ts";
import { type SteadyLoad, startSteadyLoad } from "../../topology/load/steady-load.ts";
import type { Restarted } from "../../topology/rolling-restart.ts";
import type { Topology } from "../../topology/start-topology.ts";
import type { Verdict } from "../fault-case.ts";

/** Scene of the cases of members: both services behind their proxy. */
export interface Scene {
  readonly topology: Topology;
  readonly directory: string;
  readonly quick: boolean;
}

/** Prefix of a detail that reports a broken promise. */
export const BREACH = "BROKEN: ";
/** Pause between two acts, so that each member serves calls again first. */
export const PAUSE_MILLISECONDS = 1_500;

/** Acts under a continuous load; a detail with the prefix `BREACH` makes the verdict fail. */
export async function underLoad(
  { topology }: Scene,
  act: (load: SteadyLoad) => Promise<readonly string[]>,
): Promise<Verdict> {
  const load = await startSteadyLoad(topology.document);
  const said: string[] = [];
  try {
    await delay(PAUSE_MILLISECONDS);
    said.push(...(await act(load)));
  } finally {
    await load.stop();
  }
  const breaches = said.filter((each) => each.startsWith(BREACH));
  const { done, failed } = load.records;
  const time = `p50 ${load.records.quantile(0.5).toFixed(0)} ms, p99 ${load.records.quantile(0.99).toFixed(0)} ms`;
  return {
    held: breaches.length === 0,
    detail: [`${done} calls, ${failed.length} failed, ${time}`, ...said].join("; "),
  };
}

/** Reports failed calls, if there are any; `ended` are the processes that were told to end meanwhile. */
export function breachesOf(
  failed: readonly EndedCall[],
  ended: readonly EndedProcess[] = [],
): readonly string[] {
  const first = failed[0];
  if (first === undefined) return [];
  const loser = whoLost(first, ended);
  const where = loser === undefined ? "" : ` at the end of ${loser.member} of ${loser.release}`;
  return [`${BREACH}${failed.length} calls failed, the first a ${first.kind} with ${first.answer}${where}`];
}

/** The processes of a release that a restart has ended. */
export function endedOf(release: string, restarted: readonly Restarted[]): readonly EndedProcess[] {
  return restarted.map(({ member, signalledAt, endedAt }) => ({ member, release, signalledAt, endedAt }));
}

/** Says how many restarts there were, and which processes did not end in order. */
export function describeRestarts(restarted: readonly Restarted[]): readonly string[] {
  const wrong = restarted.filter(({ end }) => end !== "exit code 0");
  const longest = Math.max(...restarted.map(({ seconds }) => seconds));
  return [
    `${restarted.length} restarts, each within ${longest.toFixed(1)} s`,
    ...wrong.map(({ member, end }) => `${BREACH}${member} ended with ${end}`),
  ];
}
