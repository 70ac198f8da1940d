import { awaitTurn, type Turn } from "./await-turn.ts";

/** How many tasks may run at once, and what happens to the others. */
export interface SlotTerms {
  readonly atOnce: number;
  /** Most tasks that may wait; unlimited by default. */
  readonly mostWaiting?: number;
  /** Longest time that a task may wait; unlimited by default. */
  readonly waitMilliseconds?: number;
  /** Makes the error for a task that may not wait, or has waited too long; not needed if every task may wait. */
  readonly refuse?: (why: string) => Error;
  /** Whether the failure of a task applies to all that wait, which then fail with the same error. */
  readonly failsAll?: (failure: unknown) => boolean;
}

/** Limits the number of tasks that run at once. */
export interface Slots {
  /**
   * Runs a task in its turn, and tells it whether it had to wait. Refuses at once if too many wait already, or later if its
   * turn does not come.
   */
  run<T>(task: (hasWaited: boolean) => Promise<T>): Promise<T>;
  // Not getters: slots are made for each call, and for each getter V8 takes as long as for the rest of a call's slots.
  underWay(): number;
  waiting(): number;
}

/**
 * Makes slots whose turns come in the order of asking. A task that gives up leaves at once, so that a turn is never given to a
 * caller who is gone.
 */
export function createSlots(terms: SlotTerms): Slots {
  const {
    atOnce,
    mostWaiting = Number.POSITIVE_INFINITY,
    waitMilliseconds,
    refuse = Error,
    failsAll,
  } = terms;
  const queue = new Set<Turn>();
  let underWay = 0;

  async function waitForSlot(): Promise<void> {
    if (queue.size >= mostWaiting) throw refuse(`${queue.size} are already waiting`);
    await awaitTurn(queue, waitMilliseconds, () => refuse(`no free slot within ${waitMilliseconds} ms`));
  }

  /** Hands the slot to the first in the queue; it never becomes free in between. */
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

/** Makes slots for each name, kept as long as a task runs or waits. */
export function createSlotsByName(terms: SlotTerms): RunInSlot {
  const byName = new Map<string, Slots>();
  return async (name, task) => {
    const slots = byName.get(name) ?? createSlots(terms);
    byName.set(name, slots);
    try {
      return await slots.run(task);
    } finally {
      // If two tasks leave at once, the second may find new slots of that name already in use.
      if (slots.underWay() === 0 && byName.get(name) === slots) byName.delete(name);
    }
  };
}
