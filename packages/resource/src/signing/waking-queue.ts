import { pause } from "@cobs/service-edge";

/** A queue of work, each item once under its key, for a single consumer that waits for it. */
export interface WakingQueue<Item> {
  /** Queues the item in place of one with the same key, and wakes the consumer. Returns false when there is no room. */
  put(key: string, item: Item): boolean;
  /** Removes and returns all items. */
  takeAll(): readonly Item[];
  /** Waits until there is an item, the time is over, or `signal` aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Creates an empty queue with room for `most` items. */
export function createWakingQueue<Item>(most: number): WakingQueue<Item> {
  const queued = new Map<string, Item>();
  let waking = new AbortController();
  return {
    put: (key, item) => {
      const hasRoom = queued.has(key) || queued.size < most;
      if (hasRoom) queued.set(key, item);
      waking.abort();
      return hasRoom;
    },
    takeAll: () => {
      const all = [...queued.values()];
      queued.clear();
      return all;
    },
    wait: async (milliseconds, signal) => {
      if (queued.size > 0) return;
      waking = new AbortController();
      await pause(milliseconds, [signal, waking.signal]);
    },
  };
}
