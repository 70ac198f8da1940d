import type { Clock } from "@cobs/service-edge";
import { LimitRefusal, type LimitRefusalCode } from "./limit-refusal.ts";
import { AllowanceUsedUp } from "./question-allowance.ts";

/** The refusal by a limit whose allowance is used up, with the time from which on it goes on; any other error as it is. */
export function asLimitRefusal(error: unknown, code: LimitRefusalCode, clock: Pick<Clock, "now">): unknown {
  if (!(error instanceof AllowanceUsedUp)) return error;
  const { waitMilliseconds } = error;
  const continuesAt = new Date(clock.now().getTime() + waitMilliseconds);
  return new LimitRefusal(code, continuesAt, waitMilliseconds);
}
