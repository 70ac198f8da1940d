import { isDatabaseUnavailable, isRolledBack } from "./database-unavailable.ts";

/** Does what was asked for several callers at once, and returns the outcomes in the same order. */
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
 * Most turns of the event loop that a batch waits, as long as each brings more calls. A turn of a busy process takes as long
 * as handling what has arrived, and more arrives meanwhile, so several times as many calls share the cost of a statement.
 */
const MOST_TURNS = 3;
/** Largest batch: a larger one would keep its first callers waiting for its last. */
const MAX_TOGETHER = 100;
/** A call that has waited this long behind a statement that found the database down fails with it. */
const LONG_MILLISECONDS = 200;

/**
 * Batches what many calls ask for at the same moment into one statement. A busy process then needs fewer statements, messages
 * and commits, and an idle one has no delay. A call never gets the result of a statement that began before the call.
 * `together` runs one statement, which takes effect for all or for none. If the statement fails although the database is up,
 * each call is repeated alone, so that none fails because of another. If the database is down, calls that have waited long
 * fail too, so that none waits for two time limits.
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
      fail(batch, error);
    }
    underWay -= 1;
    plan();
  }

  function fail(batch: readonly Waiting<Asked, Outcome>[], error: unknown): void {
    const isDown = isDatabaseUnavailable(error) && !isRolledBack(error);
    if (isDown) rejectAll([...batch, ...takeLongWaiting()], error);
    else if (batch.length === 1) rejectAll(batch, error);
    else for (const each of batch) void begin([each]);
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

  // Counts turns with `setImmediate`, which runs after everything that has arrived was read.
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
    // Calls that waited long may have failed with a statement that found the database down.
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
 * Batches look-ups by name: equal names at the same moment are looked up once, and all callers share the result, which must
 * not be changed.
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
  if (outcomes.length !== count)
    throw new TypeError("the number of outcomes differs from that of the requests");
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

function rejectAll<Asked, Outcome>(batch: readonly Waiting<Asked, Outcome>[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

/** A row of a statement that looks for several things at once; the place, from 1, says which of them the row is for. */
export interface PlacedRow {
  readonly place: number;
}

/** Returns the rows by place, one for each thing looked for; undefined if it was not found. */
export function inPlaces<Row extends PlacedRow>(
  rows: readonly Row[],
  count: number,
): readonly (Row | undefined)[] {
  const placed: (Row | undefined)[] = Array.from({ length: count });
  for (const row of rows) placed[row.place - 1] = row;
  return placed;
}
