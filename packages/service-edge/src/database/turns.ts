import { createSlotsByName, type RunInSlot } from "../turns/slots.ts";
import { isDatabaseAway, NoTurn } from "./database-unavailable.ts";

/**
 * Lets what has the same name be done one at a time, in the order of asking. Whose turn does not come within so many milliseconds
 * rejects with `NoTurn`; and when the database does not answer, all who wait fail as the one did that has asked it.
 */
export function createTurns(waitMilliseconds: number): RunInSlot {
  return createSlotsByName({
    atOnce: 1,
    waitMilliseconds,
    refuse: () => new NoTurn(waitMilliseconds),
    failsAll: isDatabaseAway,
  });
}
