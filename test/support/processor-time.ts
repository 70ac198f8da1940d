import { startComputing } from "./stopwatch.ts";

/*
 * Milliseconds of processor time, not wall time, because others may use this machine. Each figure is the least of several
 * attempts: garbage collection left over from earlier tests may fall into any attempt, a stall of ours into all of them.
 * Attempts end with the first figure below `wanted`.
 */
const MOST_ATTEMPTS = 6;

/** The processor time that this thread spends on `act`. */
export function processorTime(act: () => Promise<unknown>, wanted: number): Promise<number> {
  return leastOf(() => timeOf(act), wanted);
}

/** The longest processor time of this thread between two turns of the event loop. Watching the turns takes all time left over. */
export function longestTurn(act: () => Promise<unknown>, wanted: number): Promise<number> {
  return leastOf(() => longestTurnOf(act), wanted);
}

/**
 * The longest of these turns as a share of all processor time that `act` takes, from 0 to 1: what a machine of any speed has.
 * Attempts end with the first share below `wanted`.
 */
export async function shareOfLongestTurn(act: () => Promise<unknown>, wanted: number): Promise<number> {
  let [whole, longest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < MOST_ATTEMPTS && longest >= wanted * whole; attempt += 1) {
    whole = Math.min(whole, await timeOf(act));
    longest = Math.min(longest, await longestTurnOf(act));
  }
  return longest / whole;
}

async function leastOf(measure: () => Promise<number>, wanted: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && least >= wanted; attempt += 1)
    least = Math.min(least, await measure());
  return least;
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const computed = startComputing();
  await act();
  return computed();
}

async function longestTurnOf(act: () => Promise<unknown>): Promise<number> {
  const computed = startComputing();
  let [last, longest, isOver] = [0, 0, false];
  const watch = async () => {
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = computed();
      longest = Math.max(longest, now - last);
      last = now;
    }
  };
  const watched = watch();
  await act();
  isOver = true;
  await watched;
  return longest;
}
