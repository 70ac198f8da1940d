/** A part that is stopped with the sandbox. */
export interface Stoppable {
  stop(): Promise<void>;
  hurry?(): void;
}

/** Stops parts in reverse order of starting; parts started together are stopped together. */
export interface StopOrder {
  /** Registers parts; if stopping has already begun, stops them at once. */
  add(...together: readonly Stoppable[]): Promise<void>;
  /** Stops everything once; later calls wait for the same end. */
  stop(): Promise<void>;
  /** Ends at once what still runs; `stop` then resolves soon. */
  hurry(): void;
  readonly stopping: boolean;
}

/** Creates an empty order. */
export function createStopOrder(): StopOrder {
  const groups: (readonly Stoppable[])[] = [];
  let stopped: Promise<void> | undefined;
  const stopGroup = (group: readonly Stoppable[]) => Promise.allSettled(group.map((part) => part.stop()));
  async function stopAll(): Promise<void> {
    for (const group of groups.toReversed()) await stopGroup(group);
  }
  return {
    add: async (...together) => {
      groups.push(together);
      if (stopped !== undefined) await stopGroup(together);
    },
    stop: () => {
      stopped ??= stopAll();
      return stopped;
    },
    hurry: () => {
      for (const part of groups.flat()) part.hurry?.();
    },
    get stopping() {
      return stopped !== undefined;
    },
  };
}
