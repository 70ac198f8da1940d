import type { Clock } from "@cobs/service-edge";
import { type LimitRefusalCode, refusalFor } from "./limit-refusal.ts";
import { AllowanceUsedUp } from "./question-allowance.ts";

/** The refusal by a limit whose allowance is used up, with the time from which on it goes on; any other error as it is. */
export function asLimitRefusal(error: unknown, code: LimitRefusalCode, clock: Pick<Clock, "now">): unknown {
  return error instanceof AllowanceUsedUp ? refusalFor(error.waitMilliseconds, code, clock) : error;
}
