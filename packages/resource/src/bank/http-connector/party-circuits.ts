import { LRUCache } from "lru-cache";
import type { CoreCircuit } from "./core-circuit.ts";

/** How the circuits of single parties are made. */
export interface PartyCircuitParts {
  readonly make: () => CoreCircuit;
  /** Whether an error counts as a failure. */
  readonly isCounted: (error: unknown) => boolean;
}

/** The party asked about longest ago is forgotten first, even if its circuit is open. */
const MOST_PARTIES = 200;

/**
 * Runs tasks in the circuits of their parties. A party has one from its first failure on, so that those whose calls are answered
 * cost nothing.
 */
export function runByParty({ make, isCounted }: PartyCircuitParts) {
  const circuits = new LRUCache<string, CoreCircuit>({ max: MOST_PARTIES });

  async function countFirst(party: string, error: unknown): Promise<void> {
    const circuit = circuits.get(party) ?? make();
    circuits.set(party, circuit);
    // It ends with this error, or refuses it when other calls that were under way have opened the circuit.
    await circuit.run(() => Promise.reject(error)).catch(() => undefined);
  }

  return async <T>(party: string, task: () => Promise<T>): Promise<T> => {
    const circuit = circuits.get(party);
    if (circuit !== undefined) return circuit.run(task);
    try {
      return await task();
    } catch (error) {
      if (isCounted(error)) await countFirst(party, error);
      throw error;
    }
  };
}
