import type { Clock, Log } from "@cobs/service-edge";
import type { Place } from "./ending.ts";

/** The new beginnings of a feed that does not go on, until it has gone on for a while. */
export interface NewBeginnings {
  /** How many there were. */
  times(): number;
  /** Counts one, because the feed does not go on from this place; the first is logged. */
  count(place: Place): void;
  /** Is told of each answer that goes on. After long enough without a new beginning, they are over; this is logged. */
  goesOn(): void;
}

/**
 * How long the feed must go on without a new beginning before the trouble counts as over. If two databases share one name,
 * the right one answers by chance, even several times in a row.
 */
const GOES_ON_MILLISECONDS = 10_000;

/** Counts new beginnings, and logs when they begin and when they are over. */
export function countNewBeginnings(clock: Pick<Clock, "monotonicMilliseconds">, log: Log): NewBeginnings {
  let times = 0;
  let lastAt = 0;
  return {
    times: () => times,
    count: ({ position }) => {
      times += 1;
      lastAt = clock.monotonicMilliseconds();
      if (times === 1)
        log.warn({ position }, "the event feed of auth cannot continue from this position; starting over");
    },
    goesOn: () => {
      if (times === 0 || clock.monotonicMilliseconds() - lastAt < GOES_ON_MILLISECONDS) return;
      times = 0;
      log.info("the event feed of auth continues again");
    },
  };
}
