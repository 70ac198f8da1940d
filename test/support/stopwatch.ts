import { existsSync, readFileSync } from "node:fs";

/**
 * Begins to measure, and gives a function that tells how many milliseconds this thread has waited since: the time of the
 * wall without that in which it computed, and without that in which it was ready but the machine served others. So a
 * bound on waiting holds on a busy machine, and a caller that is kept waiting still fails it. For servers that run in the
 * process of the test.
 */
export function startWaiting(): () => number {
  const started = performance.now();
  const before = schedule();
  return () => {
    const { computed, kept } = schedule();
    return performance.now() - started - (computed - before.computed) - (kept - before.kept);
  };
}

/** Begins to measure, and gives a function that tells how many milliseconds this thread has computed since. */
export function startComputing(): () => number {
  const before = schedule().computed;
  return () => schedule().computed - before;
}

interface Schedule {
  readonly computed: number;
  /** Ready, but not served. */
  readonly kept: number;
}

const ofThread = "/proc/thread-self/schedstat";
const isThreadKnown = existsSync(ofThread);

/** Of this thread, in milliseconds. Where the system does not tell of one thread: of all, and nothing of being kept. */
function schedule(): Schedule {
  if (isThreadKnown) {
    const [computed = 0, kept = 0] = readFileSync(ofThread, "latin1").split(" ").map(Number);
    return { computed: computed / 1e6, kept: kept / 1e6 };
  }
  const { user, system } = process.cpuUsage();
  return { computed: (user + system) / 1000, kept: 0 };
}
