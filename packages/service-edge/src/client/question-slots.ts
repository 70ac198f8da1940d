import { OutsideFetchError } from "./outside-fetch-error.ts";

const QUESTIONS_AT_ONCE = 256;
/** Fewer than all: one host that stalls must not keep the others from being asked. */
const QUESTIONS_PER_HOST_AT_ONCE = 64;

/** Runs a task as one of few, in all and per host; beyond that it rejects at once, since nobody is helped by waiting. */
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
