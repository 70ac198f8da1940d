import type { EventEmitter } from "node:events";

/**
 * Calls `end` once, at the first SIGINT or SIGTERM. npm passes on a Ctrl-C that the terminal has already sent; this second
 * signal is ignored, because by default it would kill the process while it ends.
 * Once nothing is left to do, the process exits with the code that is set: what is passed on may come as late as that.
 */
export function onInterruption(end: () => void, signals: EventEmitter = process): void {
  let isEnding = false;
  const endOnce = () => {
    if (isEnding) return;
    isEnding = true;
    // Node no longer hears signals while it takes itself apart, which an exit leaves out.
    signals.once("beforeExit", () => process.exit());
    end();
  };
  signals.on("SIGINT", endOnce).on("SIGTERM", endOnce);
}
