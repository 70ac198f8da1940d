/**
 * A server is warm when this many of its newest windows cost about the same: then its code is fully compiled. Three windows are
 * too few: a server with more code gets faster more slowly, for some 25,000 calls, where bare Koa is at its fastest after
 * 8,000.
 */
const WARM_WINDOWS = 5;
const WARM_SPREAD = 1.08;

/** Loads a server, window after window, until it is warm or has had `most` windows; `measureWindow` returns the cost of one. */
export async function warmUp(measureWindow: () => Promise<number>, most: number): Promise<void> {
  const seen: number[] = [];
  while (seen.length < most && !isWarm(seen)) seen.push(await measureWindow());
}

function isWarm(seen: readonly number[]): boolean {
  const newest = seen.slice(-WARM_WINDOWS);
  return newest.length === WARM_WINDOWS && Math.max(...newest) <= Math.min(...newest) * WARM_SPREAD;
}
