import type { Clock, Log } from "@cobs/service-edge";
import { type BlockedParties, type StopList, StopListRefusal } from "./stop-list.ts";

/** A stop list that is being followed. */
export type FollowedStopList = StopList & { stop(): void };

// A block is in force within a second: so is the way of the question and of the answer.
const INTERVAL_MILLISECONDS = 750;

/** How a stop list is followed. */
export interface FollowingOptions {
  readonly freshnessSeconds: number;
  readonly clock: Clock;
  /** Told when the list cannot be read any more, and when it can again. */
  readonly log: Log;
}

interface Sent<T> {
  readonly sentAt: number;
  readonly what: T;
}

/**
 * Asks for the list more often than once a second, so that calls find it known and fresh. What is known serves while its question was
 * sent at most `freshnessSeconds` ago on the monotonic clock; a call that finds it older asks itself, and callers at
 * that moment share one question.
 */
export function followStopList(
  fetchBlocked: () => Promise<BlockedParties>,
  { freshnessSeconds, clock, log }: FollowingOptions,
): FollowedStopList {
  let known: Sent<BlockedParties> | undefined;
  let asking: Sent<Promise<BlockedParties>> | undefined;

  const isFresh = ({ sentAt }: Sent<unknown>) =>
    clock.monotonicMilliseconds() - sentAt <= freshnessSeconds * 1000;

  async function ask(): Promise<BlockedParties> {
    const question = { sentAt: clock.monotonicMilliseconds(), what: fetchBlocked() };
    asking = question;
    try {
      const blocked = await question.what;
      // A question that was overtaken by a later one must not bring back what that one has ended.
      if (known === undefined || known.sentAt <= question.sentAt)
        known = { sentAt: question.sentAt, what: blocked };
      return blocked;
    } finally {
      if (asking === question) asking = undefined;
    }
  }

  const tell = tellTrouble(log);
  const poll = () => {
    if (asking === undefined) ask().then(() => tell(undefined), tell);
  };
  poll();
  const timer = setInterval(poll, INTERVAL_MILLISECONDS).unref();
  return {
    current: async () => {
      if (known !== undefined && isFresh(known)) return known.what;
      return asking !== undefined && isFresh(asking) ? asking.what : ask();
    },
    wasLoaded: async () => {
      if (known !== undefined) return true;
      return (asking?.what ?? ask()).then(
        () => true,
        () => false,
      );
    },
    stop: () => clearInterval(timer),
  };
}

/** One line for each trouble and one for its end, however often it is asked meanwhile. */
function tellTrouble(log: Log): (error: unknown) => void {
  let isTroubled = false;
  return (error) => {
    if (isTroubled === (error !== undefined)) return;
    isTroubled = error !== undefined;
    const detail = error instanceof StopListRefusal ? error.detail : undefined;
    if (isTroubled) log.warn({ error, detail }, "the stop list of auth cannot be read");
    else log.info("the stop list of auth is read again");
  };
}
