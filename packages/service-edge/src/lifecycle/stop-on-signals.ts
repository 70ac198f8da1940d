import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log/log.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** Limits on how long the end of a process may take, in seconds. */
export interface StopTerms {
  readonly drainDelaySeconds: number;
  readonly drainLimitSeconds: number;
}

/** A way to ask a process to end. */
export interface Ending {
  /** Asks for an orderly end; a second request, unless so soon that it may be accidental, ends the process at once. */
  ask(reason: string): void;
}

/** npm forwards Ctrl-C although the terminal has sent it already, so two signals this close count as one request. */
const SAME_SIGNAL_MILLISECONDS = 500;
/** Time for closing what is behind the entrances, after the last call is answered or cut. */
const CLOSING_LIMIT_SECONDS = 5;

/** Makes an ending from what to do at a first and at a second request. */
export function createEnding(begin: (reason: string) => void, endNow: (reason: string) => void): Ending {
  let since: number | undefined;
  return {
    ask: (reason) => {
      const now = performance.now();
      if (since === undefined) begin(reason);
      else if (now - since > SAME_SIGNAL_MILLISECONDS) endNow(reason);
      since ??= now;
    },
  };
}

/** Signals of a supervisor, of Ctrl-C and of a lost terminal. */
const ENDING_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Makes signals ask for the end. */
export function endOnSignals(ending: Ending): void {
  for (const signal of ENDING_SIGNALS) process.on(signal, ending.ask);
}

/**
 * Keeps Node from opening its debugger at SIGUSR1, to everybody on the machine; start the service with `--inspect` to debug
 * it.
 */
export function openNoDebugger(): void {
  process.on("SIGUSR1", () => undefined);
}

/**
 * Ends a process in order: it stops being ready, and serves as before until the proxy has noticed. Then it admits nobody,
 * answers the calls under way and exits with 0. A second request, or a part that cannot be closed, ends it at once with 1.
 */
export function endInOrder(
  lifecycle: Lifecycle,
  terms: StopTerms & { readonly log: Log },
): Ending & { ready(): void; giveUp(code: number): Promise<void> } {
  const { log, drainDelaySeconds, drainLimitSeconds } = terms;
  let wasReady = false;
  const tooLate = () => {
    log.fatal("something could not be closed in time");
    process.exit(1);
  };
  async function end(): Promise<void> {
    lifecycle.drain();
    // A process that was never ready was sent no callers.
    if (wasReady) await delay(drainDelaySeconds * 1_000);
    setTimeout(tooLate, (drainLimitSeconds + CLOSING_LIMIT_SECONDS) * 1_000);
    await lifecycle.stop();
    process.exit(0);
  }
  const ending = createEnding(
    (reason) => {
      log.info({ reason, drainDelaySeconds, drainLimitSeconds }, "stopping");
      void end();
    },
    (reason) => {
      log.fatal({ reason }, "ended at once; calls under way are cut");
      process.exit(1);
    },
  );
  return {
    ...ending,
    ready: () => {
      wasReady = true;
    },
    /**
     * Closes what a failed start has opened, which has no callers yet, and exits with the code; with 1 if closing takes too
     * long.
     */
    giveUp: async (code) => {
      setTimeout(tooLate, CLOSING_LIMIT_SECONDS * 1_000);
      await lifecycle.stop();
      process.exit(code);
    },
  };
}
