import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database-postgres.ts";
import type { Repeat } from "./job-metrics.ts";

/** A clock of the database that is ahead of ours by more is wrong, or ours is. */
const MOST_AHEAD_MILLISECONDS = 60 * 60 * 1000;
const NOW = { name: "clock-of-database", text: "SELECT now() AS now", values: [] };

/** Both clocks that a process goes by. */
export interface BothClocks {
  readonly database: Queries;
  readonly clock: Clock;
}

/**
 * For jobs that end or delete what is over by the database's clock: a round fails while that one is more than an hour ahead of
 * ours. What ends by a clock that has jumped a year forward, as every consent would, is not back when it is set right.
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
  throw new Error(`the clock of the database is ${Math.round(ahead / 1000)} s ahead of ours`);
}
