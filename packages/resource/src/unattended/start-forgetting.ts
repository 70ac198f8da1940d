import { isDatabaseUnavailable, type Log, type Repeat, type Repeated, repeat } from "@cobs/service-edge";
import type { AccessCounts } from "./access-counts.ts";

const BATCH = 1_000;
const LOOK_MILLISECONDS = 60_000;
/** Between two batches: whoever counts accesses gets a turn. */
const BUSY_MILLISECONDS = 50;

/**
 * Deletes what was counted and decides nothing any more, within minutes, until it is stopped. Every process does, and nothing
 * depends on it but the size of the table.
 */
export function startForgettingAccesses({
  counts,
  log,
  again = repeat,
}: {
  readonly counts: Pick<AccessCounts, "forgetOld">;
  readonly log: Log;
  readonly again?: Repeat;
}): Repeated {
  const fail = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) log.error({ error }, "old accesses could not be deleted");
    return LOOK_MILLISECONDS;
  };
  return again(
    async () => ((await counts.forgetOld(BATCH)) < BATCH ? LOOK_MILLISECONDS : BUSY_MILLISECONDS),
    fail,
  );
}
