import { startComputing } from "./stopwatch.ts";

/*
 * In milliseconds of the processor and not of the wall, because others may be running on this machine. Each is the least of
 * several attempts: a collection of garbage that tests before this one left may fall into any of them, a stall of ours into all.
 */

/** All that this thread spends on something. */
export async function processorTime(act: () => Promise<unknown>): Promise<number> {
  return Math.min(await timeOf(act), await timeOf(act), await timeOf(act));
}

/** The most that this thread spends between two turns of the event loop. To watch them takes all that it is given. */
export async function longestTurn(act: () => Promise<unknown>): Promise<number> {
  return Math.min(await longestTurnOf(act), await longestTurnOf(act), await longestTurnOf(act));
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
