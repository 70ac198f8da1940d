import { awaitTurn, type Turn } from "../client/await-turn.ts";
import { isDatabaseUnavailable, isRolledBack, NoTurn } from "./database-unavailable.ts";

/** Does work, after whatever was to be done before under the same name. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets what has the same name be done one at a time, in the order of asking. Whose turn does not come within so many milliseconds
 * rejects with `NoTurn`; and when the database does not answer, all who wait fail as the one did that has asked it.
 */
export function createTurns(waitMilliseconds: number): InTurn {
  const underWay = new Map<string, Set<Turn>>();

  /** Whoever is first in the queue takes over the turn; it never becomes free in between. */
  function passOn(name: string, queue: Set<Turn>): void {
    const [next] = queue;
    if (next === undefined) underWay.delete(name);
    else next.begin();
  }

  return async (name, work) => {
    const queue = underWay.get(name) ?? new Set<Turn>();
    if (underWay.has(name)) await awaitTurn(queue, waitMilliseconds, () => new NoTurn(waitMilliseconds));
    else underWay.set(name, queue);
    try {
      return await work();
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isRolledBack(error))
        for (const { giveUp } of [...queue]) giveUp(error);
      throw error;
    } finally {
      passOn(name, queue);
    }
  };
}
