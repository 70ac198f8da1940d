import { startComputing } from "./stopwatch.ts";

/*
 * In milliseconds of the processor and not of the wall, because others may be running on this machine. Each is the least of
 * several attempts: a collection of garbage that tests before this one left may fall into any of them, a stall of ours into all.
 * After one that is below what is wanted there is no other.
 */
const MOST_ATTEMPTS = 6;

/** All that this thread spends on something. */
export function processorTime(act: () => Promise<unknown>, wanted: number): Promise<number> {
  return leastOf(() => timeOf(act), wanted);
}

/** The most that this thread spends between two turns of the event loop. To watch them takes all that it is given. */
export function longestTurn(act: () => Promise<unknown>, wanted: number): Promise<number> {
  return leastOf(() => longestTurnOf(act), wanted);
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
