import { isDatabaseUnavailable } from "./database-unavailable.ts";

/** Does for each of several what was asked for it, and gives the outcomes in the same order. */
export type DoTogether<Asked, Outcome> = (asked: readonly Asked[]) => Promise<readonly Outcome[]>;

interface Waiting<Asked, Outcome> {
  readonly asked: Asked;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** While so many are under way, what is asked for waits and goes with the next. */
const MAX_UNDER_WAY = 2;
/** A statement of more would keep its first callers waiting for its last. */
const MAX_TOGETHER = 100;

/**
 * Makes one statement of what many calls ask for at the same moment: each goes with all others that wait when a statement
 * begins, so that a busy process has fewer statements, messages and commits, and an idle one no delay. Nobody is told
 * what a statement saw that began before it was asked for. `together` is one statement: it happens for all or for none. When it
 * fails, other than because the database is down, each is done alone, so that nobody fails for another.
 */
export function gather<Asked, Outcome>(
  together: DoTogether<Asked, Outcome>,
): (asked: Asked) => Promise<Outcome> {
  let waiting: Waiting<Asked, Outcome>[] = [];
  let underWay = 0;
  let isPlanned = false;

  async function begin(batch: readonly Waiting<Asked, Outcome>[]): Promise<void> {
    underWay += 1;
    try {
      settle(batch, await together(batch.map(({ asked }) => asked)));
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) for (const { reject } of batch) reject(error);
      else for (const each of batch) void begin([each]);
    }
    underWay -= 1;
    plan();
  }

  function plan(): void {
    if (isPlanned || waiting.length === 0 || underWay >= MAX_UNDER_WAY) return;
    isPlanned = true;
    // After everything that has arrived by now was read.
    setImmediate(() => {
      isPlanned = false;
      const batch = waiting.slice(0, MAX_TOGETHER);
      waiting = waiting.slice(MAX_TOGETHER);
      void begin(batch);
      plan();
    });
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      plan();
    });
}

function settle<Asked, Outcome>(
  batch: readonly Waiting<Asked, Outcome>[],
  outcomes: readonly Outcome[],
): void {
  if (outcomes.length !== batch.length) throw new TypeError("not as many outcomes as were asked for");
  const next = outcomes.values();
  for (const { resolve } of batch) {
    const outcome = next.next();
    if (!outcome.done) resolve(outcome.value);
  }
}

/** A row of a statement that looks for several at once: which of them it is for, from 1. */
export interface PlacedRow {
  readonly place: number;
}

/** The one row for each of so many, by its place; undefined for what was not found. */
export function inPlaces<Row extends PlacedRow>(
  rows: readonly Row[],
  count: number,
): readonly (Row | undefined)[] {
  const placed: (Row | undefined)[] = Array.from({ length: count });
  for (const row of rows) placed[row.place - 1] = row;
  return placed;
}
