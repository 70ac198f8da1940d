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

/** Records the uses of consents. */
export interface ConsentUses {
  /** Records that a TPP used this consent just now. Returns at once, and never fails. */
  note(id: ConsentId): void;
  /** Writes the recorded uses, unless the database fails, and stops. */
  stop(): Promise<void>;
}

const WRITE_MILLISECONDS = 1_000;
const BATCH = 500;
/** Milliseconds for which one recorded use of a consent covers further uses. */
const NOTED_MILLISECONDS = 60_000;
/** Most consents remembered; beyond that, some are written twice in a minute. */
const MOST_NOTED = 50_000;
/** Most consents that wait for the database. A use beyond that is lost, and the next use is recorded instead. */
const MOST_WAITING = 10_000;

/**
 * Records uses in memory, and writes them every second in batches, one after the other, outside the calls. A process
 * that is killed loses one second of uses; the last use is then shown as slightly too early.
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
  /** Called with the number of uses that are never written: they found no room, or the database refused them. */
  readonly onLost?: (uses: number) => void;
  readonly again?: Repeat;
}): ConsentUses {
  const noted = new Map<ConsentId, number>();
  const waiting = new Set<ConsentId>();

  /** Further uses are not recorded for a minute, so these are kept to be written when the database is back. */
  function putBack(ids: readonly ConsentId[], error: unknown): never {
    if (isDatabaseUnavailable(error)) for (const id of ids) waiting.add(id);
    else onLost(ids.length);
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
      if (waiting.size >= MOST_WAITING) return onLost(1);
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
