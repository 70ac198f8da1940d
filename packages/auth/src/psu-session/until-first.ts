import { AlwaysOvertaken } from "@cobs/service-edge";

/** Of fifty who want the same at once one gets it each time. More often is nobody overtaken but by a store that is at fault. */
const MOST_TRIES = 100;

/** Tries until nobody has come before: a try gives undefined when somebody has. Rejects when that has no end. */
export async function untilFirst<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const reached = await attempt();
    if (reached !== undefined) return reached;
  }
  throw new AlwaysOvertaken(MOST_TRIES);
}
