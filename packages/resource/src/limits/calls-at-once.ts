import { type Clock, createSlotsByName, isDatabaseAway, type RunInSlot } from "@cobs/service-edge";
import type { ResourceConfiguration } from "../config.ts";
import { refusalFor } from "./limit-refusal.ts";

/** So many calls wait for each that may be under way. */
const WAITING_PER_CALL = 4;
/**
 * Longer than a database that does not answer is waited for: those who wait behind it are told so, and not that
 * they are too many.
 */
const WAIT_MILLISECONDS = 3_000;
/** By then those that were too many have been answered. */
const COME_BACK_MILLISECONDS = 1_000;

/**
 * Has so many calls of each TPP carried out at the same time in this process, so that a TPP with very many leaves connections to
 * the database, turns at the core system and the processor to all others. Further ones of it wait, and are refused with
 * `calls_at_once` when too many wait already, or for too long.
 */
export function limitCallsAtOnce(
  {
    callsAtOncePerTpp: atOnce,
    callWaitMilliseconds: waitMilliseconds = WAIT_MILLISECONDS,
  }: Pick<ResourceConfiguration, "callsAtOncePerTpp" | "callWaitMilliseconds">,
  clock: Clock,
): RunInSlot {
  return createSlotsByName({
    atOnce,
    mostWaiting: atOnce * WAITING_PER_CALL,
    waitMilliseconds,
    refuse: () => refusalFor(COME_BACK_MILLISECONDS, "calls_at_once", clock),
    failsAll: isDatabaseAway,
  });
}
