import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits for a time, or until one of the signals is raised; keeps no process alive. It leaves nothing behind on a signal that
 * lives as long as the process, whereas with `AbortSignal.any` Node.js 20 would leak memory on such a signal.
 */
export async function pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of signals) signal.addEventListener("abort", end);
  if (signals.some(({ aborted }) => aborted)) end();
  await delay(milliseconds, undefined, { signal: ending.signal, ref: false }).catch(() => {});
  for (const signal of signals) signal.removeEventListener("abort", end);
}
