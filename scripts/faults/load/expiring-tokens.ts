/**
 * Stores tokens at random intervals with a given mean rate, as many independent callers would; they live for six seconds and
 * are cleaned up meanwhile. Finds alternate between their table and an empty one beside it: both share the machine, so that
 * only the table differs.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** A place where records live for a limited time. */
export interface ExpiringPlace {
  put(id: string, lifetimeSeconds: number): Promise<void>;
  find(id: string): Promise<boolean>;
}

/** Rate and lifetime of the stored tokens, and the duration of the run. */
export interface ExpiryLoad {
  readonly perSecond: number;
  readonly lifetimeSeconds: number;
  readonly seconds: number;
}

/** Durations of finds in milliseconds, and the size of the busy place at the end of each second. */
export interface ExpiryFigures {
  readonly stored: number;
  /** Finds of a living record. */
  readonly found: number;
  /** Finds that missed a living record. */
  readonly lost: number;
  /** Finds that returned an expired record. */
  readonly revived: number;
  readonly busy: readonly number[];
  readonly empty: readonly number[];
  readonly sizes: readonly number[];
}

const TICK_MILLISECONDS = 1;
const FINDS_AT_ONCE = 2;
const FIND_PAUSE_MILLISECONDS = 4;
/** A record this close to its expiry may be found or not; neither counts. */
const MARGIN_MILLISECONDS = 1_000;

interface Stored {
  readonly id: string;
  /** The record's lifetime began between these two. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** A random pause in milliseconds between calls of many independent callers: some calls coincide, others are far apart. */
function pauseBefore(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1_000) / perSecond;
}

/** Runs the load for its duration. `measure` returns the size of the busy place. */
export async function runExpiry(
  places: { readonly busy: ExpiringPlace; readonly empty: ExpiringPlace },
  { perSecond, lifetimeSeconds, seconds }: ExpiryLoad,
  measure: () => Promise<number>,
): Promise<ExpiryFigures> {
  const until = performance.now() + seconds * 1_000;
  const stored: Stored[] = [];
  const [busy, empty, sizes]: [number[], number[], number[]] = [[], [], []];
  let [found, lost, revived] = [0, 0, 0];
  const lifetime = lifetimeSeconds * 1_000;

  async function store(): Promise<void> {
    const under = new Set<Promise<void>>();
    for (let due = performance.now(); performance.now() < until; ) {
      for (; due < performance.now(); due += pauseBefore(perSecond)) {
        const id = randomUUID();
        const askedAt = performance.now();
        const putting = places.busy
          .put(id, lifetimeSeconds)
          .then(() => void stored.push({ id, askedAt, answeredAt: performance.now() }))
          // A refusal, because the place was too slow for a moment: its caller is told so.
          .catch(() => undefined)
          .finally(() => under.delete(putting));
        under.add(putting);
      }
      await delay(TICK_MILLISECONDS);
    }
    await Promise.all(under);
  }

  async function timed(into: number[], finding: () => Promise<boolean>): Promise<boolean> {
    const started = performance.now();
    const isFound = await finding();
    into.push(performance.now() - started);
    return isFound;
  }

  async function find(): Promise<void> {
    while (performance.now() < until) {
      const chosen =
        stored[
          stored.length -
            1 -
            Math.floor(Math.random() * Math.min(stored.length, 2 * perSecond * lifetimeSeconds))
        ];
      if (chosen !== undefined) {
        const isOver = performance.now() - chosen.answeredAt > lifetime + MARGIN_MILLISECONDS;
        const isFound = await timed(busy, () => places.busy.find(chosen.id));
        const lives = performance.now() - chosen.askedAt < lifetime - MARGIN_MILLISECONDS;
        if (lives && isFound) found += 1;
        if (lives && !isFound) lost += 1;
        if (isOver && isFound) revived += 1;
        await timed(empty, () => places.empty.find(chosen.id));
      }
      await delay(FIND_PAUSE_MILLISECONDS);
    }
  }

  async function look(): Promise<void> {
    while (performance.now() < until) {
      await delay(1_000);
      sizes.push(await measure());
    }
  }

  await Promise.all([store(), look(), ...Array.from({ length: FINDS_AT_ONCE }, find)]);
  return { stored: stored.length, found, lost, revived, busy, empty, sizes };
}

/** The value below which `percent` per cent of the values lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
