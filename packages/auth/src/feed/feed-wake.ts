import { createFeedWaits } from "./feed-waits.ts";
import { type HearingParts, hearEvents } from "./hear-events-postgres.ts";

/**
 * Ends waits for events early. It is an optimisation, not a guarantee: every reader looks when woken and when its wait is over.
 */
export interface FeedWake {
  /** Resolves at the next event of any process after this call, when `over` aborts, or occasionally without a reason. */
  next(over: AbortSignal): Promise<void>;
  /** Number of calls of `release`; a reader that is waiting at one answers. */
  readonly releases: number;
  /** Ends the current waits, not later ones. */
  release(): void;
  /** True when nobody may wait any longer. */
  readonly stopped: boolean;
  /** Ends all waits and the connection. May be called again. */
  stop(): Promise<void>;
}

/** Interval at which waiting readers look while no notifications are received. */
const DEAF_MILLISECONDS = 250;

/**
 * Wakes the readers of this process at the events of any. Behind a pooler that does not pass notifications on, events are only a
 * quarter of a second later.
 */
export function listenForEvents(parts: Pick<HearingParts, "database" | "log">): FeedWake {
  const { wait, wakeAll } = createFeedWaits();
  const stopping = new AbortController();
  const hearing = hearEvents({ ...parts, onHeard: wakeAll, stopping: stopping.signal });
  let releases = 0;
  return {
    next: async (over) => {
      if (!stopping.signal.aborted) await wait(over, hearing.hears() ? undefined : DEAF_MILLISECONDS);
    },
    get releases() {
      return releases;
    },
    release: () => {
      releases += 1;
      wakeAll();
    },
    get stopped() {
      return stopping.signal.aborted;
    },
    stop: () => {
      stopping.abort();
      wakeAll();
      return hearing.ended;
    },
  };
}
