import { awaitTurn, type Turn } from "./await-turn.ts";

/** How many tasks may be under way, and what becomes of the others. */
export interface SlotTerms {
  readonly atOnce: number;
  /** How many may wait; any number unless told otherwise. */
  readonly mostWaiting?: number;
  /** For how long one may wait; for as long as it takes unless told otherwise. */
  readonly waitMilliseconds?: number;
  /** What those are refused with who may not wait, or have waited in vain. */
  readonly refuse: (why: string) => Error;
  /** Whether those who wait would fail as the task that has failed so, and are refused with the same. */
  readonly failsAll?: (failure: unknown) => boolean;
}

/** Lets so many tasks run at once. */
export interface Slots {
  /**
   * Runs a task in its turn, and tells it whether it had to wait; refuses at once when too many wait already, else when its turn
   * does not come.
   */
  run<T>(task: (hasWaited: boolean) => Promise<T>): Promise<T>;
  // No getters: slots are made for each call, and V8 takes as long for each of these as for all the rest of one.
  underWay(): number;
  waiting(): number;
}

/**
 * Makes slots whose turns are in the order of asking. Who waits in vain leaves at once, so that a turn is never
 * given to a caller who has gone.
 */
export function createSlots(terms: SlotTerms): Slots {
  const { atOnce, mostWaiting = Number.POSITIVE_INFINITY, waitMilliseconds, refuse, failsAll } = terms;
  const queue = new Set<Turn>();
  let underWay = 0;

  async function waitForSlot(): Promise<void> {
    if (queue.size >= mostWaiting) throw refuse(`${queue.size} wait already`);
    await awaitTurn(queue, waitMilliseconds, () => refuse(`no turn within ${waitMilliseconds} ms`));
  }

  /** Whoever is first in the queue takes over the slot; it never becomes free in between. */
  function passOn(): void {
    const [next] = queue;
    if (next === undefined) underWay -= 1;
    else next.begin();
  }

  async function run<T>(task: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const hasToWait = underWay >= atOnce;
    if (hasToWait) await waitForSlot();
    else underWay += 1;
    try {
      return await task(hasToWait);
    } catch (failure) {
      if (failsAll?.(failure)) for (const { giveUp } of [...queue]) giveUp(failure);
      throw failure;
    } finally {
      passOn();
    }
  }

  return {
    run,
    underWay: () => underWay,
    waiting: () => queue.size,
  };
}

/** Runs a task in a slot of a name; each name has its own slots. */
export type RunInSlot = <T>(name: string, task: (hasWaited: boolean) => Promise<T>) => Promise<T>;

/** Makes slots for each name, which are kept as long as somebody is there. */
export function createSlotsByName(terms: SlotTerms): RunInSlot {
  const byName = new Map<string, Slots>();
  return async (name, task) => {
    const slots = byName.get(name) ?? createSlots(terms);
    byName.set(name, slots);
    try {
      return await slots.run(task);
    } finally {
      // Of two who leave at once, the second may find others here already, in slots of their own.
      if (slots.underWay() === 0 && byName.get(name) === slots) byName.delete(name);
    }
  };
}
