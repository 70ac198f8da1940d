import { setTimeout as delay } from "node:timers/promises";
import type { CustomFetch } from "openid-client";

const LIMIT_MILLISECONDS = 60_000;
const LEAST_MILLISECONDS = 100;
const SECONDS = /^\d{1,3}$/;

/** Whom to tell that a server is too busy, and how long to keep trying. */
export interface Patience {
  readonly say: (line: string) => void;
  readonly limitMilliseconds?: number;
}

/**
 * Repeats a request that a server is too busy for (503 with Retry-After) when the server says, for up to a minute after the
 * first such answer: a machine that starts everything at once may be that slow. Says so once. Gives any other answer, and the
 * last one, unchanged.
 */
export function fetchAgain(
  fetch: CustomFetch,
  { say, limitMilliseconds = LIMIT_MILLISECONDS }: Patience,
): CustomFetch {
  let until: number | undefined;
  return async (url, options) => {
    for (;;) {
      const answer = await fetch(url, options);
      const wait = waitOf(answer);
      if (wait === undefined) return answer;
      if (until === undefined) say(`${new URL(url).host} is busy; asking again for up to a minute`);
      until ??= performance.now() + limitMilliseconds;
      if (performance.now() + wait > until) return answer;
      await delay(wait);
    }
  };
}

/** Milliseconds to wait; undefined if the answer does not ask for a retry. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = headers.get("retry-after") ?? "";
  return status === 503 && SECONDS.test(seconds)
    ? Math.max(Number(seconds) * 1_000, LEAST_MILLISECONDS)
    : undefined;
}
