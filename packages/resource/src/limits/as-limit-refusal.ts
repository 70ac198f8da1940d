import type { Clock } from "@cobs/service-edge";
import { type LimitRefusalCode, refusalFor } from "./limit-refusal.ts";
import { AllowanceUsedUp } from "./question-allowance.ts";

/** Turns a used-up allowance into the refusal of its limit, with the time when it continues; gives any other error as it is. */
export function asLimitRefusal(error: unknown, code: LimitRefusalCode, clock: Pick<Clock, "now">): unknown {
  return error instanceof AllowanceUsedUp ? refusalFor(error.waitMilliseconds, code, clock) : error;
}
