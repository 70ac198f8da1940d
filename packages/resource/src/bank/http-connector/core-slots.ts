import { afterLimit } from "@cobs/service-edge";
import { CoreUnavailable } from "../core-unavailable.ts";

/** How many calls may be under way, how many may wait for that, and for how long. */
export interface SlotLimits {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMilliseconds: number;
}

/** Lets so many calls through at once. */
export interface CoreSlots {
  /** Runs a task in its turn; refuses with `core_busy` at once when too many wait already, else when its turn does not come. */
  run<T>(task: () => Promise<T>): Promise<T>;
  readonly waiting: number;
}

type Turn = { readonly take: () => void };

/**
 * Makes the slots of one core system. Turns are in the order of asking. Who waits in vain leaves at once, so that a turn is
 * never given to a caller who has gone.
 */
export function createCoreSlots({ atOnce, waiting, waitMilliseconds }: SlotLimits): CoreSlots {
  const queue = new Set<Turn>();
  let underWay = 0;

  function awaitTurn(): Promise<void> {
    if (queue.size >= waiting) throw new CoreUnavailable("core_busy", `${queue.size} calls wait already`);
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        take: () => {
          clearTimeout(limit);
          resolve();
        },
      };
      const limit = afterLimit(waitMilliseconds, () => {
        queue.delete(turn);
        reject(new CoreUnavailable("core_busy", `no turn within ${waitMilliseconds} ms`));
      });
      queue.add(turn);
    });
  }

  /** Whoever is first in the queue takes over the place; it never becomes free in between. */
  function passOn(): void {
    const [next] = queue;
    if (next === undefined) {
      underWay -= 1;
      return;
    }
    queue.delete(next);
    next.take();
  }

  async function run<T>(task: () => Promise<T>): Promise<T> {
    if (underWay < atOnce) underWay += 1;
    else await awaitTurn();
    try {
      return await task();
    } finally {
      passOn();
    }
  }

  return {
    run,
    get waiting() {
      return queue.size;
    },
  };
}
