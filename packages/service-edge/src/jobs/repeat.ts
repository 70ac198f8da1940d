import { setTimeout as delay } from "node:timers/promises";

/** Repeated work; stopping waits for the round under way. */
export interface Repeated {
  stop(): Promise<void>;
}

/** One round of repeated work; returns the pause before the next one in milliseconds. A long round may give up by `signal`. */
export type Round = (signal: AbortSignal) => Promise<number>;

const SOON_MILLISECONDS = 1_000;

/**
 * First pause, in milliseconds, of a job that nobody waits for, so that a starting process first does what callers wait for.
 * It differs between processes, which may have started together.
 */
export function soonAfterStart(): number {
  return SOON_MILLISECONDS * (1 + Math.random());
}

/**
 * Runs one round after the other until it is stopped. An error of a round goes to `fail`, which returns the pause instead,
 * except while stopping. No pause keeps the process alive.
 */
export function repeat(round: Round, fail: (error: unknown) => number, firstPause = 0): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  const attempt = () => round(signal).catch((error: unknown) => (signal.aborted ? 0 : fail(error)));

  async function run(): Promise<void> {
    let pause = firstPause;
    while (!signal.aborted) {
      if (pause > 0) await delay(pause, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) pause = await attempt();
    }
  }
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
