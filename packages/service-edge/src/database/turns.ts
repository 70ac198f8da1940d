import { createSlotsByName, type RunInSlot } from "../turns/slots.ts";
import { isDatabaseAway, NoTurn } from "./database-unavailable.ts";

/**
 * Runs tasks with the same name one at a time, in the order of asking. A task whose turn does not come within
 * `waitMilliseconds` rejects with `NoTurn`. When the database does not answer one task, all that wait fail with the same
 * error.
 */
export function createTurns(waitMilliseconds: number): RunInSlot {
  return createSlotsByName({
    atOnce: 1,
    waitMilliseconds,
    refuse: () => new NoTurn(waitMilliseconds),
    failsAll: isDatabaseAway,
  });
}
