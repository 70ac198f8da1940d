import { OutsideFetchError } from "./outside-fetch-error.ts";

const QUESTIONS_AT_ONCE = 4_096;
/**
 * Fewer than all: one host that stalls must not keep the others from being asked. As many as a host in good health answers
 * over its few connections in the time of a question, so that a crowd after a restart is not turned away from one.
 */
const QUESTIONS_PER_HOST_AT_ONCE = 1_024;

/** Runs a task as one of so many, in all and per host; beyond that it rejects at once, since nobody is helped by waiting. */
export type InSlot = <T>(host: string, task: () => Promise<T>) => Promise<T>;

/** Makes the slots of one process. */
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
      throw new OutsideFetchError(`too many questions to ${host} are under way`);
    change(host, 1);
    return task().finally(() => change(host, -1));
  };
}
