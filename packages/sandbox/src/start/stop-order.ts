/** Something that was started and is stopped with the sandbox. */
export interface Stoppable {
  stop(): Promise<void>;
  hurry?(): void;
}

/** What is stopped, last started first; parts that were started together are stopped together. */
export interface StopOrder {
  /** Registers parts; when stopping has begun already they are stopped at once. */
  add(...together: readonly Stoppable[]): Promise<void>;
  /** Stops everything once; later calls wait for the same end. */
  stop(): Promise<void>;
  /** Ends what still runs without order; `stop` then resolves soon. */
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
