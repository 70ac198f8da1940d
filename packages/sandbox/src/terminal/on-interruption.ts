import type { EventEmitter } from "node:events";

/**
 * Calls `end` once, at the first SIGINT or SIGTERM. npm passes on a Ctrl-C that the terminal has already sent; this second
 * signal is ignored, because by default it would kill the process while it ends.
 */
export function onInterruption(end: () => void, signals: EventEmitter = process): void {
  let isEnding = false;
  const endOnce = () => {
    if (isEnding) return;
    isEnding = true;
    end();
  };
  signals.on("SIGINT", endOnce).on("SIGTERM", endOnce);
}
