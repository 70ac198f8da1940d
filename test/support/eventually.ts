import { setTimeout as delay } from "node:timers/promises";

const LOOK_AGAIN_MILLISECONDS = 20;
const RECOVERY_LIMIT_MILLISECONDS = 45_000;

/** Waits until something is so, and fails when it is not within the limit. Gives the milliseconds that it took. */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  limitMilliseconds = 30_000,
  what = "it was so",
): Promise<number> {
  const started = performance.now();
  while (!(await isSo())) {
    if (performance.now() - started > limitMilliseconds)
      throw new Error(`waited ${limitMilliseconds} ms in vain until ${what}`);
    await delay(LOOK_AGAIN_MILLISECONDS);
  }
  return performance.now() - started;
}

/** The same of what several services have to do, or processes that are started again; `what` stands in the error. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await eventually(holds, RECOVERY_LIMIT_MILLISECONDS, what);
}
