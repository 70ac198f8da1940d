import { setTimeout as delay } from "node:timers/promises";

const LOOK_AGAIN_MILLISECONDS = 20;

/** Waits until something is so, and fails when it is not within the limit. Gives the milliseconds that it took. */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  limitMilliseconds = 30_000,
): Promise<number> {
  const started = performance.now();
  while (!(await isSo())) {
    if (performance.now() - started > limitMilliseconds)
      throw new Error(`it was not so within ${limitMilliseconds} ms`);
    await delay(LOOK_AGAIN_MILLISECONDS);
  }
  return performance.now() - started;
}
