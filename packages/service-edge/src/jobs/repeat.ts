import { setTimeout as delay } from "node:timers/promises";

/** Something that is done again and again; stopping waits for the round under way. */
export interface Repeated {
  stop(): Promise<void>;
}

/** One round of it; gives the pause before the next one in milliseconds. A long round may give up by `signal`. */
export type Round = (signal: AbortSignal) => Promise<number>;

const SOON_MILLISECONDS = 1_000;

/**
 * The first pause of a job for which nobody waits, in milliseconds: when a process starts, those who wait for it go first. It
 * differs from process to process, which may have started together.
 */
export function soonAfterStart(): number {
  return SOON_MILLISECONDS * (1 + Math.random());
}

/**
 * Does one round after the other until it is stopped. What a round throws goes to `fail`, which gives the pause in its
 * place; it is not told what a round throws while stopping. No pause keeps the process alive.
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
