/** Readers of this process that wait for an event. */
export interface FeedWaits {
  /** Resolves when all are woken, when `over` aborts, or after `mostMilliseconds`. */
  wait(over: AbortSignal, mostMilliseconds: number | undefined): Promise<void>;
  /** Ends the current waits, not later ones. */
  wakeAll(): void;
}

/** Creates the waits of a process. */
export function createFeedWaits(): FeedWaits {
  const waiting = new Set<() => void>();
  return {
    wait: (over, mostMilliseconds) =>
      new Promise((resolve) => {
        if (over.aborted) return resolve();
        const wake = () => {
          clearTimeout(timer);
          over.removeEventListener("abort", wake);
          waiting.delete(wake);
          resolve();
        };
        const timer = mostMilliseconds === undefined ? undefined : setTimeout(wake, mostMilliseconds);
        over.addEventListener("abort", wake, { once: true });
        waiting.add(wake);
      }),
    wakeAll: () => {
      for (const wake of waiting) wake();
    },
  };
}
