import { AlwaysOvertaken } from "@cobs/service-edge";

/** Of fifty concurrent callers one succeeds in each round. Only a faulty store makes a caller try more often than this. */
const MOST_TRIES = 100;

/** Repeats an attempt that gives undefined when somebody else came first. Rejects with `AlwaysOvertaken` after the most tries. */
export async function untilFirst<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const reached = await attempt();
    if (reached !== undefined) return reached;
  }
  throw new AlwaysOvertaken(MOST_TRIES);
}
