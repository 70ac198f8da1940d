import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log/log.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** How long the end of a process may take, in seconds. */
export interface StopTerms {
  readonly drainDelaySeconds: number;
  readonly drainLimitSeconds: number;
}

/** What a signal asks for. */
export interface Ending {
  /** Ends in order; whoever asks again, later than by accident, ends it at once. */
  ask(reason: string): void;
}

/** npm passes Ctrl-C on although the terminal has done so already: two signals at once are one request. */
const SAME_SIGNAL_MILLISECONDS = 500;
/** For what is behind the entrances, when the last call is answered or cut. */
const CLOSING_LIMIT_SECONDS = 5;

/** A request to end, and the same request a second time. */
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

/** What ends a service: a supervisor, Ctrl-C, and a terminal that goes. */
const ENDING_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Has signals end what nobody else ends. */
export function endOnSignals(ending: Ending): void {
  for (const signal of ENDING_SIGNALS) process.on(signal, ending.ask);
}

/** Node opens its debugger at SIGUSR1, to everybody on the machine; who wants it starts the service with `--inspect`. */
export function openNoDebugger(): void {
  process.on("SIGUSR1", () => undefined);
}

/**
 * How a process ends: not ready any more, it goes on as before until the proxy has noticed; then nobody is let in, what runs
 * is answered, and the process exits with 0. A second request ends it at once, with 1, and so does what cannot be closed.
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
    // Whoever was never ready was sent nobody.
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
    /** Closes what a start has opened that failed, which nobody calls yet, and exits with the code; with 1 where it takes too long. */
    giveUp: async (code) => {
      setTimeout(tooLate, CLOSING_LIMIT_SECONDS * 1_000);
      await lifecycle.stop();
      process.exit(code);
    },
  };
}
