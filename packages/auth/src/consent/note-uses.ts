import {
  type Clock,
  type Database,
  isDatabaseUnavailable,
  type Log,
  type Repeat,
  repeat,
  tellFailure,
} from "@cobs/service-edge";
import type { ConsentId } from "./consent-id.ts";
import { writeUses } from "./consent-uses-postgres.ts";

/** What notes the uses of consents. */
export interface ConsentUses {
  /** A TPP has used this consent just now. Costs no time, and never fails. */
  note(id: ConsentId): void;
  /** Writes what is noted, as long as the database takes it, and ends. */
  stop(): Promise<void>;
}

const WRITE_MILLISECONDS = 1_000;
const BATCH = 500;
/** One note of a consent covers all further uses for this long. */
const NOTED_MILLISECONDS = 60_000;
/** This many consents are remembered; beyond that some are written twice in a minute. */
const MOST_NOTED = 50_000;
/** At most this many wait for the database; a use that finds no room is told to `onLost`, and is shown at the next one. */
const MOST_WAITING = 10_000;

/**
 * Notes uses in memory, and writes them every second, in batches one after the other, apart from the calls. A process that
 * is killed loses one second of them; the last use is then shown as slightly too early.
 */
export function startNotingUses({
  database,
  clock,
  log,
  onLost = () => {},
  again = repeat,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** A use found no room, and is not written. */
  readonly onLost?: () => void;
  readonly again?: Repeat;
}): ConsentUses {
  const noted = new Map<ConsentId, number>();
  const waiting = new Set<ConsentId>();

  /** Further uses are not noted for a while: where the database is away, these are written when it is there again. */
  function putBack(ids: readonly ConsentId[], error: unknown): never {
    if (isDatabaseUnavailable(error)) for (const id of ids) waiting.add(id);
    throw error;
  }

  async function writeBatch(): Promise<number> {
    const ids = [...waiting].slice(0, BATCH);
    for (const id of ids) waiting.delete(id);
    if (ids.length > 0) await writeUses(database, ids).catch((error: unknown) => putBack(ids, error));
    return waiting.size >= BATCH ? 0 : WRITE_MILLISECONDS;
  }
  const fail = tellFailure(log, "uses of consents could not be written", WRITE_MILLISECONDS);
  const writing = again(writeBatch, fail);

  async function writeRest(): Promise<void> {
    while (waiting.size > 0) await writeBatch();
  }
  return {
    note(id) {
      const now = clock.monotonicMilliseconds();
      const before = noted.get(id);
      if (before !== undefined && now < before + NOTED_MILLISECONDS) return;
      if (waiting.size >= MOST_WAITING) return onLost();
      if (noted.size >= MOST_NOTED) noted.clear();
      noted.set(id, now);
      waiting.add(id);
    },
    stop: async () => {
      await writing.stop();
      await writeRest().catch(fail);
    },
  };
}
