import { pause } from "@cobs/service-edge";

/** Things to do, each once under its key, for one who waits for them. */
export interface WakingQueue<Item> {
  /** Queues what is not queued, and wakes who waits; false when there is no room. */
  put(key: string, item: Item): boolean;
  /** All of them, which are not queued any more. */
  takeAll(): readonly Item[];
  /** Until there is one, or the time is over. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Makes an empty one with room for so many. */
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
