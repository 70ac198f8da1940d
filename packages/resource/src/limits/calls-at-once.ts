import { type Clock, createSlotsByName, isDatabaseAway, type RunInSlot } from "@cobs/service-edge";
import type { ResourceConfiguration } from "../config.ts";
import { refusalFor } from "./limit-refusal.ts";

/** Calls that may wait for each call that may be in progress. */
const WAITING_PER_CALL = 10;
/**
 * Longer than a call waits for a silent database, so that the calls behind it are refused for that reason, and not for being
 * too many.
 */
const WAIT_MILLISECONDS = 3_000;
/** By then the calls that were too many have been answered. */
const COME_BACK_MILLISECONDS = 1_000;

/**
 * Limits the calls of each TPP that this process carries out at the same time, so that a TPP with very many calls leaves the
 * database and the processor to all others; turns at the core system are shared there. Its further calls wait, and are
 * refused with `calls_at_once` when too many already wait, or when they wait too long.
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
