/**
 * A contest puts the same load on servers in turn, round by round, and counts the requests that each answers per second of its
 * own processor time. Ratios are taken within one round, because a disturbance of the machine affects all servers of a round
 * alike.
 */

import type { ContestParts } from "./contest-parts.ts";
import type { FlowOrder, Load, Loaded, RequestOrder } from "./load/load-order.ts";
import { processorSeconds } from "./processor.ts";
import { type Spread, spreadOf } from "./spread.ts";
import { warmUp } from "./warm-up.ts";

/** A server under a load of its own. */
export interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly order: RequestOrder | FlowOrder;
}

/** What is measured under one name: our server, and the baselines; the goal refers to the first baseline. */
export interface Contest {
  readonly name: string;
  readonly goal: number;
  readonly operation: string;
  readonly ours: Contender;
  readonly baselines: readonly Contender[];
  /** Concurrent calls: enough to keep a server's core busy. */
  readonly atOnce: number;
}

/** A contest that may be wanted; `prepare` starts what it needs. */
export interface PlannedContest {
  readonly name: string;
  prepare(parts: ContestParts): Promise<Contest>;
}

/** How much is measured. */
export interface BenchSize {
  readonly rounds: number;
  readonly roundMilliseconds: number;
  /** Windows after which a server counts as warm, whatever its figures. */
  readonly mostWarmWindows: number;
  readonly warmWindowMilliseconds: number;
}

/** Figures of one contender. */
export interface ContenderResult {
  readonly name: string;
  /** Operations per second of the server's processor time. */
  readonly throughput: Spread;
  /** Our throughput divided by this contender's, by round; 1 for our own. */
  readonly ratio: Spread;
}

/** Figures of all contenders, ours first. */
export interface ContestResult {
  readonly name: string;
  readonly goal: number;
  readonly operation: string;
  readonly rounds: number;
  readonly contenders: readonly ContenderResult[];
}

type LoadOn = (load: Load) => Promise<Loaded>;

/** Rotates the order, so that no contender is always first. */
export function inTurn<T>(all: readonly T[], round: number): readonly T[] {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

async function measure({ pid, order }: Contender, load: LoadOn, size: Omit<Load, "order">): Promise<number> {
  const before = processorSeconds(pid);
  const { done } = await load({ order, ...size });
  return done / (processorSeconds(pid) - before);
}

export async function runContest(contest: Contest, size: BenchSize, load: LoadOn): Promise<ContestResult> {
  const { name, goal, operation, atOnce, ours, baselines } = contest;
  const { rounds, roundMilliseconds: milliseconds } = size;
  const contenders = [ours, ...baselines].map((contender) => ({ contender, seen: [] as number[] }));
  const window = { milliseconds: size.warmWindowMilliseconds, most: null, atOnce };
  for (const { contender } of contenders)
    await warmUp(() => measure(contender, load, window), size.mostWarmWindows);
  for (let round = 0; round < rounds; round += 1)
    for (const { contender, seen } of inTurn(contenders, round))
      seen.push(await measure(contender, load, { milliseconds, most: null, atOnce }));
  const own = contenders[0]?.seen ?? [];
  return {
    name,
    goal,
    operation,
    rounds,
    contenders: contenders.map(({ contender, seen }) => ({
      name: contender.name,
      throughput: spreadOf(seen),
      ratio: spreadOf(own.map((value, round) => value / (seen[round] ?? Number.NaN))),
    })),
  };
}
