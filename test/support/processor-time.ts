import { existsSync, readFileSync } from "node:fs";

/** In milliseconds of the processor. */
export interface ProcessorTime {
  readonly longestTurn: number;
  readonly total: number;
}

/**
 * The most processor time that this thread spent between two turns of the event loop, and all of it, in milliseconds. Of
 * the processor and not of the wall, because others may be running on this machine. It is the least of three attempts: a
 * collection of garbage that tests before this one left may fall into any of them, a stall of ours into all.
 */
export async function processorTime(act: () => Promise<unknown>): Promise<ProcessorTime> {
  const attempts = [await measure(act), await measure(act), await measure(act)];
  return {
    longestTurn: Math.min(...attempts.map(({ longestTurn }) => longestTurn)),
    total: Math.min(...attempts.map(({ total }) => total)),
  };
}

async function measure(act: () => Promise<unknown>): Promise<ProcessorTime> {
  const start = spent();
  let last = start;
  let longestTurn = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = spent();
      longestTurn = Math.max(longestTurn, now - last);
      last = now;
    }
  };
  const watched = watch();
  await act();
  isOver = true;
  await watched;
  return { longestTurn, total: spent() - start };
}

const ofThread = "/proc/thread-self/schedstat";
const isThreadKnown = existsSync(ofThread);

/** Where the system does not tell of one thread: that of all, which is too much while others work beside it. */
function spent(): number {
  if (isThreadKnown) return Number(readFileSync(ofThread, "latin1").split(" ")[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
