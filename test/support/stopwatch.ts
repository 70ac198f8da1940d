import { existsSync, readFileSync } from "node:fs";

/**
 * Starts measuring, and returns a function that tells for how many milliseconds this thread has waited since: wall time minus
 * the time in which it computed or was ready but the machine ran others. A bound on waiting therefore holds on a busy machine,
 * but fails if a caller is kept waiting. For servers that run in the test's process.
 */
export function startWaiting(): () => number {
  const started = performance.now();
  const before = schedule();
  return () => {
    const { computed, kept } = schedule();
    return performance.now() - started - (computed - before.computed) - (kept - before.kept);
  };
}

/** Starts measuring, and returns a function that tells for how many milliseconds this thread has computed since. */
export function startComputing(): () => number {
  const before = schedule().computed;
  return () => schedule().computed - before;
}

interface Schedule {
  readonly computed: number;
  /** Ready, but not running. */
  readonly kept: number;
}

const ofThread = "/proc/thread-self/schedstat";
const isThreadKnown = existsSync(ofThread);

/** Times of this thread, in milliseconds. On systems without figures per thread: of the whole process, and `kept` is 0. */
function schedule(): Schedule {
  if (isThreadKnown) {
    const [computed = 0, kept = 0] = readFileSync(ofThread, "latin1").split(" ").map(Number);
    return { computed: computed / 1e6, kept: kept / 1e6 };
  }
  const { user, system } = process.cpuUsage();
  return { computed: (user + system) / 1000, kept: 0 };
}
