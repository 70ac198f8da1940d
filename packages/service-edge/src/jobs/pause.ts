import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits so long, or until one of these signals is raised; keeps no process alive. A signal that lives as long as the process
 * keeps nothing of it: of what `AbortSignal.any` makes of such a one, Node.js 20 keeps a part for ever.
 */
export async function pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of signals) signal.addEventListener("abort", end);
  if (signals.some(({ aborted }) => aborted)) end();
  await delay(milliseconds, undefined, { signal: ending.signal, ref: false }).catch(() => {});
  for (const signal of signals) signal.removeEventListener("abort", end);
}
