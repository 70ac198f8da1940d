import { isDatabaseUnavailable, isRolledBack } from "./database-unavailable.ts";

/** Does for each of several what was asked for it, and gives the outcomes in the same order. */
export type DoTogether<Asked, Outcome> = (asked: readonly Asked[]) => Promise<readonly Outcome[]>;

interface Waiting<Asked, Outcome> {
  readonly asked: Asked;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** While this many statements are running, further calls wait and join the next one. */
const MAX_UNDER_WAY = 2;
/**
 * So many turns of the event loop a batch waits, as long as each brings others. In a busy process a turn takes as long as what
 * has come needs, and that much more comes meanwhile: what a statement costs by itself is shared by several times as many.
 */
const MOST_TURNS = 3;
/** Largest batch: a larger one would keep its first callers waiting for its last. */
const MAX_TOGETHER = 100;
/** A call that has waited this long behind a statement that found the database down fails with it. */
const LONG_MILLISECONDS = 200;

/**
 * Batches what many calls ask for at the same moment into one statement: a busy process then needs fewer statements,
 * messages and commits, and an idle one has no delay. A call never gets the result of a statement that began before
 * the call. `together` runs one statement, which happens for all or for none. When it fails for another reason than a
 * database that is down, each is repeated alone, so that nobody fails because of another. When the database is down,
 * calls that have waited long fail with it, so that nobody waits for two time limits.
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
      const isDown = isDatabaseUnavailable(error) && !isRolledBack(error);
      if (batch.length === 1 || isDown) for (const { reject } of batch) reject(error);
      else for (const each of batch) void begin([each]);
      if (isDown) for (const { reject } of takeLongWaiting()) reject(error);
    }
    underWay -= 1;
    plan();
  }

  function takeLongWaiting(): readonly Waiting<Asked, Outcome>[] {
    const latest = performance.now() - LONG_MILLISECONDS;
    const first = waiting.findIndex(({ since }) => since > latest);
    const long = first === -1 ? waiting : waiting.slice(0, first);
    waiting = waiting.slice(long.length);
    return long;
  }

  function plan(): void {
    if (isPlanned || waiting.length === 0 || underWay >= MAX_UNDER_WAY) return;
    isPlanned = true;
    afterTurns(MOST_TURNS);
  }

  // After everything that has arrived by now was read.
  function afterTurns(turns: number): void {
    const before = waiting.length;
    setImmediate(() => {
      if (turns > 1 && waiting.length > before && waiting.length < MAX_TOGETHER) afterTurns(turns - 1);
      else beginNext();
    });
  }

  function beginNext(): void {
    isPlanned = false;
    const batch = waiting.slice(0, MAX_TOGETHER);
    waiting = waiting.slice(MAX_TOGETHER);
    // Those who waited long may have failed with a statement that found the database down.
    if (batch.length > 0) void begin(batch);
    plan();
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, since: performance.now(), resolve, reject });
      plan();
    });
}

/**
 * The same for look-ups by name: equal names at the same moment are looked up once, and all callers share the result,
 * which nobody may change.
 */
export function gatherLookups<Asked, Found>(
  nameOf: (asked: Asked) => string,
  together: DoTogether<Asked, Found | undefined>,
): (asked: Asked) => Promise<Found | undefined> {
  return gather(async (asked) => {
    const distinct = new Map(asked.map((each) => [nameOf(each), each]));
    if (distinct.size === asked.length) return together(asked);
    const found = await together([...distinct.values()]);
    requireAll(found, distinct.size);
    const byName = new Map([...distinct.keys()].map((name, place) => [name, found[place]]));
    return asked.map((each) => byName.get(nameOf(each)));
  });
}

function requireAll(outcomes: readonly unknown[], count: number): void {
  if (outcomes.length !== count) throw new TypeError("not as many outcomes as were asked for");
}

function settle<Asked, Outcome>(
  batch: readonly Waiting<Asked, Outcome>[],
  outcomes: readonly Outcome[],
): void {
  requireAll(outcomes, batch.length);
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
