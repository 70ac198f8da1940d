import { setTimeout as delay } from "node:timers/promises";

const LOOK_AGAIN_MILLISECONDS = 20;
const RECOVERY_LIMIT_MILLISECONDS = 45_000;

/** Waits until a condition holds, and throws if it does not within the limit. Returns the milliseconds that it took. */
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

/** The same with a longer limit, for several services or restarted processes; `what` appears in the error. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await eventually(holds, RECOVERY_LIMIT_MILLISECONDS, what);
}
