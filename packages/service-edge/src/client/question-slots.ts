import { OutsideFetchError } from "./outside-fetch-error.ts";

const QUESTIONS_AT_ONCE = 4_096;
/**
 * Most questions to one host at once, fewer than the total, so that a stalled host does not block the others. High enough for
 * a healthy host to answer them all in time over its few connections, so that a rush after a restart is not refused.
 */
const QUESTIONS_PER_HOST_AT_ONCE = 1_024;

/**
 * Runs a task when a slot is free, both in total and for its host; otherwise rejects at once, because waiting would not help.
 */
export type InSlot = <T>(host: string, task: () => Promise<T>) => Promise<T>;

/** Creates the slots of one process. */
export function createQuestionSlots(): InSlot {
  const taken = new Map<string, number>();
  let all = 0;
  const change = (host: string, by: 1 | -1) => {
    const count = (taken.get(host) ?? 0) + by;
    if (count === 0) taken.delete(host);
    else taken.set(host, count);
    all += by;
  };
  return async (host, task) => {
    if (all >= QUESTIONS_AT_ONCE || (taken.get(host) ?? 0) >= QUESTIONS_PER_HOST_AT_ONCE)
      throw new OutsideFetchError(`too many requests to ${host} are in progress`);
    change(host, 1);
    return task().finally(() => change(host, -1));
  };
}
