import type { Examination, VerifiedTpp } from "./certificate-checks.ts";
import { periodOf } from "./path/certification-path.ts";

/** A verdict for one connection, and the period in which no check could change it, both ends inclusive. */
export interface SettledTpp {
  readonly verified: VerifiedTpp;
  /** Milliseconds since 1970, like `until`. */
  readonly from: number;
  readonly until: number;
}

/** Returns how long a verdict made now holds: while the leaf is valid, and the same paths are. */
export function settle({ validity, paths }: Examination, verified: VerifiedTpp, now: Date): SettledTpp {
  const periods = paths.map((path) => {
    const period = periodOf(path);
    return verified.holding.includes(path) ? period : around(period, now.getTime());
  });
  return {
    verified,
    from: Math.max(validity.notBefore, ...periods.map(({ from }) => from)),
    until: Math.min(validity.notAfter, ...periods.map(({ until }) => until)),
  };
}

/** Returns the stretch of time around `time` in which a period keeps its state: valid, over, not yet begun, or never valid. */
function around({ from, until }: { readonly from: number; readonly until: number }, time: number) {
  const always = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  if (from > until) return always;
  return time > until ? { ...always, from: until + 1 } : { ...always, until: from - 1 };
}

/** Whether a verdict holds at this time; never at an invalid time. */
export function standsAt({ from, until }: SettledTpp, now: Date): boolean {
  const time = now.getTime();
  return time >= from && time <= until;
}
