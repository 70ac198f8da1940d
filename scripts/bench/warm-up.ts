/**
 * A server is warm when its newest windows cost about the same: then its code is compiled as it will be. Three are too few for
 * it: what has more code gets faster more slowly, for some 25,000 calls, where bare Koa is as fast as ever after 8,000.
 */
const WARM_WINDOWS = 5;
const WARM_SPREAD = 1.08;

/** Loads a server, window after window, until it is warm or has had `most` of them; each gives what it cost. */
export async function warmUp(measureWindow: () => Promise<number>, most: number): Promise<void> {
  const seen: number[] = [];
  while (seen.length < most && !isWarm(seen)) seen.push(await measureWindow());
}

function isWarm(seen: readonly number[]): boolean {
  const newest = seen.slice(-WARM_WINDOWS);
  return newest.length === WARM_WINDOWS && Math.max(...newest) <= Math.min(...newest) * WARM_SPREAD;
}
