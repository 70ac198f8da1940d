import { setTimeout as delay } from "node:timers/promises";
import type { CustomFetch } from "openid-client";

const LIMIT_MILLISECONDS = 60_000;
const LEAST_MILLISECONDS = 100;
const SECONDS = /^\d{1,3}$/;

/** Who is told that a server has no time yet, and how long it may have none. */
export interface Patience {
  readonly say: (line: string) => void;
  readonly limitMilliseconds?: number;
}

/**
 * Sends what a server has no time for (503 with Retry-After) again when it says, for up to a minute from the first such answer on:
 * a machine that is starting everything at once may be that slow. Says so once. Any other answer is given as it is, and so is
 * the last one.
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
      if (until === undefined) say(`${new URL(url).host} has no time yet; asking again for up to a minute`);
      until ??= performance.now() + limitMilliseconds;
      if (performance.now() + wait > until) return answer;
      await delay(wait);
    }
  };
}

/** In milliseconds; undefined where the answer is not that one should come again. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = headers.get("retry-after") ?? "";
  return status === 503 && SECONDS.test(seconds)
    ? Math.max(Number(seconds) * 1_000, LEAST_MILLISECONDS)
    : undefined;
}
