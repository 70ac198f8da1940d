/**
 * Compares one process of a service with several that share its ports: processor time per request, requests answered per
 * second, and whether the processes hinder each other in the database. `--cores` gives them more cores, and so more processes.
 */
import { type BenchSize, inTurn } from "../contest.ts";
import type { ContestParts } from "../contest-parts.ts";
import type { RequestOrder } from "../load/load-order.ts";
import type { Cores } from "../processor.ts";
import { alignTable, type BenchSection, ratioOf } from "../section.ts";
import { spreadOf } from "../spread.ts";
import { warmUp } from "../warm-up.ts";
import { watchLocks } from "./lock-waits.ts";
import { type ServiceInProcesses, startInProcesses } from "./service-in-processes.ts";
import { type Work, worksOf } from "./works.ts";

/** Processor time per request may grow by at most a tenth. */
const COST_GOAL = 0.909;
/** At most a twentieth of the time of statements may be spent waiting for locks. */
const LOCK_GOAL = 0.95;
/** Concurrent calls per process: a bank adds a process for more load, not to share the same load. */
const AT_ONCE = 64;
const MICROSECONDS = 1_000_000;

interface Runner {
  readonly count: number;
  readonly service: ServiceInProcesses;
  readonly order: RequestOrder;
  /** One figure per round: seconds of processor time per request, requests per second, share of waiting. */
  readonly costs: number[];
  readonly rates: number[];
  readonly waits: number[];
}

/** Counts 1, 2, 4 and so on, as far as cores allow; always 2 as well. */
function countsFor({ shared }: Cores): readonly number[] {
  const doubled = [1, 2];
  for (let next = 4; next <= shared.length; next *= 2) doubled.push(next);
  return doubled;
}

async function startRunner(
  parts: ContestParts,
  work: Work,
  how: { readonly count: number; readonly cores: Cores },
): Promise<Runner> {
  const beside = parts.bank.document.processes[work.service];
  const service = await startInProcesses({ ...how, name: work.service, beside });
  const { target } = work.order;
  const order = { ...work.order, target: { ...target, origin: service.mutualTls } };
  return { count: how.count, service, order, costs: [], rates: [], waits: [] };
}

interface Window {
  /** Seconds of processor time per request. */
  readonly cost: number;
  /** Requests per second. */
  readonly rate: number;
}

async function measureWindow(
  { load }: ContestParts,
  { service, order, count }: Runner,
  milliseconds: number,
): Promise<Window> {
  const [since, before] = [performance.now(), service.processorSeconds()];
  const { done } = await load({ order, milliseconds, most: null, atOnce: AT_ONCE * count });
  const [until, after] = [performance.now(), service.processorSeconds()];
  return { cost: (after - before) / done, rate: (done * 1_000) / (until - since) };
}

async function measureRound(
  parts: ContestParts,
  runner: Runner,
  work: Work,
  milliseconds: number,
): Promise<void> {
  const locks = await watchLocks(work.databaseUrl);
  const { cost, rate } = await measureWindow(parts, runner, milliseconds);
  runner.waits.push(await locks.stop());
  runner.costs.push(cost);
  runner.rates.push(rate);
}

const COLUMNS = ["processes", "requests a second", "CPU, µs", "times one process", "waiting for locks"];
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function presentWork({ name, operation }: Work, runners: readonly Runner[]): BenchSection {
  const [one] = runners;
  const compared = runners.map(({ count, costs, rates, waits }) => ({
    count,
    rate: spreadOf(rates).median,
    cost: spreadOf(costs).median,
    times: spreadOf(costs.map((cost, round) => cost / (one?.costs[round] ?? Number.NaN))).median,
    waiting: waits.reduce((sum, share) => sum + share, 0) / waits.length,
  }));
  const rows = compared.map(({ count, rate, cost, times, waiting }) => [
    String(count),
    rate.toFixed(0),
    (cost * MICROSECONDS).toFixed(0),
    times.toFixed(2),
    percent(waiting),
  ]);
  const two = compared.find(({ count }) => count === 2);
  const ratios = [
    ratioOf(`processes/${name}`, 1 / (two?.times ?? Number.NaN), COST_GOAL),
    ratioOf(`processes/${name}-locks`, 1 - (two?.waiting ?? Number.NaN), LOCK_GOAL),
  ];
  const text = [
    `## processes/${name}`,
    "",
    `${operation}; ${one?.costs.length} rounds, interleaved, ${AT_ONCE} calls at once for each process; medians, and the mean of the waiting.`,
    "",
    ...alignTable([COLUMNS, COLUMNS.map(() => "---"), ...rows]),
    "",
  ].join("\n");
  return { ratios, text };
}

async function measureWork(
  parts: ContestParts,
  work: Work,
  { cores, size }: ProcessesRun,
): Promise<BenchSection> {
  const runners: Runner[] = [];
  try {
    for (const count of countsFor(cores)) runners.push(await startRunner(parts, work, { count, cores }));
    for (const runner of runners)
      await warmUp(
        async () => (await measureWindow(parts, runner, size.warmWindowMilliseconds)).cost,
        size.mostWarmWindows,
      );
    for (let round = 0; round < size.rounds; round += 1)
      for (const runner of inTurn(runners, round))
        await measureRound(parts, runner, work, size.roundMilliseconds);
    return presentWork(work, runners);
  } finally {
    for (const { service } of runners) await service.stop();
  }
}

/** How it is measured. */
export interface ProcessesRun {
  readonly cores: Cores;
  readonly size: BenchSize;
  /** Prefix of the wanted names. */
  readonly only: string;
  readonly say: (line: string) => void;
}

/** Measures what each service does most, and what it writes most. */
export async function measureProcesses(
  parts: ContestParts,
  run: ProcessesRun,
): Promise<readonly BenchSection[]> {
  const sections: BenchSection[] = [];
  for (const work of await worksOf(parts)) {
    if (!`processes/${work.name}`.startsWith(run.only)) continue;
    run.say(`processes/${work.name}: one process, then more`);
    const section = await measureWork(parts, work, run);
    for (const { name, ratio, goal } of section.ratios) run.say(`${name}: ${ratio}, at least ${goal}`);
    sections.push(section);
  }
  return sections;
}
