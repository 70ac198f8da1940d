import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database-postgres.ts";
import type { Repeat } from "./job-metrics.ts";

/** If the database's clock is further ahead of ours than this, one of the two is wrong. */
const MOST_AHEAD_MILLISECONDS = 60 * 60 * 1000;
const NOW = { name: "clock-of-database", text: "SELECT now() AS now", values: [] };

/** The two clocks of a process: the database's and its own. */
export interface BothClocks {
  readonly database: Queries;
  readonly clock: Clock;
}

/**
 * Wraps `repeat` for jobs that end or delete what has expired by the database's clock: a round fails while that clock is more
 * than an hour ahead of ours. If the clock jumped a year ahead, every consent would end, and correcting the clock would not
 * restore them.
 */
export function trustingDatabaseClock(clocks: BothClocks, again: Repeat): Repeat {
  return (round, ...rest) =>
    again(
      async (signal) => {
        await requireTrustedDatabaseClock(clocks);
        return round(signal);
      },
      ...rest,
    );
}

/** Throws while the clock of the database is more than an hour ahead of ours. */
export async function requireTrustedDatabaseClock({ database, clock }: BothClocks): Promise<void> {
  const [row] = await database.run<{ readonly now: Date }>(NOW);
  const ahead = (row?.now.getTime() ?? 0) - clock.now().getTime();
  if (ahead <= MOST_AHEAD_MILLISECONDS) return;
  throw new Error(`the clock of the database is ${Math.round(ahead / 1000)} s ahead of this machine's`);
}
