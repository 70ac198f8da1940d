import type { EventEmitter } from "node:events";

/**
 * Calls `end` at the first SIGINT or SIGTERM, once: npm passes Ctrl-C on although the terminal has done so already, and the
 * second signal asks for the same end. Left to itself, it would kill in the middle of that.
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
