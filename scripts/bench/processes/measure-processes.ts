/**
 * One process of a service against several that share its ports: what a request costs them when each has as much to do, how
 * many they answer in a second at most, and whether they stand in each other's way in the database. `--cores` gives them more
 * cores, and so more processes.
 */
import { type BenchSize, inTurn } from "../contest.ts";
import type { ContestParts } from "../contest-parts.ts";
import type { Load, RequestOrder } from "../load/load-order.ts";
import type { Cores } from "../processor.ts";
import { alignTable, type BenchSection, ratioOf } from "../section.ts";
import { spreadOf } from "../spread.ts";
import { watchLocks } from "./lock-waits.ts";
import { type ServiceInProcesses, startInProcesses } from "./service-in-processes.ts";
import { type Work, worksOf } from "./works.ts";

/** At most a tenth more processor time per request. */
const COST_GOAL = 0.909;
/** At most a twentieth of the time of statements is waiting for locks. */
const LOCK_GOAL = 0.95;
/** For each process, as is the share below: another one is started because there is more to do, not to do the same with less. */
const AT_ONCE = 64;
/**
 * Of what one process answers at most, how much each is called when costs are compared. What waits at the same moment is
 * answered for less, and where callers have only a core themselves they can keep one process waiting, but not two.
 */
const PACE = 0.25;
const WARM_MILLISECONDS = 6_000;
const MICROSECONDS = 1_000_000;

interface Runner {
  readonly count: number;
  readonly service: ServiceInProcesses;
  readonly order: RequestOrder;
  /** Figures for each round, of calls as fast as they are answered. */
  readonly atMost: Seen[];
  /** And of as many calls in a second for each process. */
  readonly paced: Seen[];
  /** The share of waiting for locks in each round. */
  readonly waits: number[];
}

/** Seconds of processor time per request, and requests in a second. */
interface Seen {
  readonly cost: number;
  readonly rate: number;
}

/** 1, 2, 4 and so on, as far as there are cores; 2 in any case. */
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
  return { count: how.count, service, order, atMost: [], paced: [], waits: [] };
}

async function measureLoad(
  { load }: ContestParts,
  { service, order, count }: Runner,
  size: Pick<Load, "milliseconds" | "perSecond">,
): Promise<Seen> {
  const [since, before] = [performance.now(), service.processorSeconds()];
  const { done } = await load({ order, most: null, atOnce: AT_ONCE * count, ...size });
  const [until, after] = [performance.now(), service.processorSeconds()];
  return { cost: (after - before) / done, rate: (done * 1_000) / (until - since) };
}

const warmUp = (parts: ContestParts, runner: Runner) =>
  measureLoad(parts, runner, { milliseconds: WARM_MILLISECONDS * runner.count });

/** A round as fast as may be, and one at the pace for each process. */
async function measureRound(
  parts: ContestParts,
  runner: Runner,
  { databaseUrl, milliseconds, pace }: { databaseUrl: string; milliseconds: number; pace: number },
): Promise<void> {
  const locks = await watchLocks(databaseUrl);
  runner.atMost.push(await measureLoad(parts, runner, { milliseconds }));
  runner.paced.push(await measureLoad(parts, runner, { milliseconds, perSecond: pace * runner.count }));
  runner.waits.push(await locks.stop());
}

const COLUMNS = [
  "processes",
  "requests a second",
  "CPU, µs",
  "times one process",
  "at most, a second",
  "CPU, µs",
  "waiting for locks",
];
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const medianOf = (seen: readonly Seen[], figure: keyof Seen) =>
  spreadOf(seen.map((each) => each[figure])).median;
const microseconds = (seconds: number) => (seconds * MICROSECONDS).toFixed(0);

function presentWork({ name, operation }: Work, runners: readonly Runner[]): BenchSection {
  const [one] = runners;
  const compared = runners.map(({ count, paced, atMost, waits }) => ({
    count,
    paced,
    atMost,
    times: spreadOf(paced.map(({ cost }, round) => cost / (one?.paced[round]?.cost ?? Number.NaN))).median,
    waiting: waits.reduce((sum, share) => sum + share, 0) / waits.length,
  }));
  const rows = compared.map(({ count, paced, atMost, times, waiting }) => [
    String(count),
    medianOf(paced, "rate").toFixed(0),
    microseconds(medianOf(paced, "cost")),
    times.toFixed(2),
    medianOf(atMost, "rate").toFixed(0),
    microseconds(medianOf(atMost, "cost")),
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
    `${operation}; ${one?.paced.length} rounds, interleaved; medians, and the mean of the waiting.`,
    `First as many calls a second for each process, ${PACE * 100} % of what one answered at most: cores that are awake, and calls that`,
    "come together, cost less, so that several can be cheaper than one. Then, from the fifth column on, as fast as they are",
    `answered, ${AT_ONCE} at once for each: there callers and processes share the cores, and no process has as much to do as one alone.`,
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
  const { databaseUrl } = work;
  const milliseconds = size.roundMilliseconds;
  try {
    for (const count of countsFor(cores)) runners.push(await startRunner(parts, work, { count, cores }));
    for (const runner of runners) await warmUp(parts, runner);
    const [one] = runners;
    if (one === undefined) throw new TypeError("nothing was started");
    const pace = PACE * (await measureLoad(parts, one, { milliseconds: WARM_MILLISECONDS / 2 })).rate;
    for (let round = 0; round < size.rounds; round += 1)
      for (const runner of inTurn(runners, round))
        await measureRound(parts, runner, { databaseUrl, milliseconds, pace });
    return presentWork(work, runners);
  } finally {
    for (const { service } of runners) await service.stop();
  }
}

/** How it is measured. */
export interface ProcessesRun {
  readonly cores: Cores;
  readonly size: BenchSize;
  /** With what the names begin. */
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
