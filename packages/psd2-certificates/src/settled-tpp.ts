import type { Examination, VerifiedTpp } from "./certificate-checks.ts";
import { periodOf } from "./path/certification-path.ts";

/** A verdict for one connection, and the period in which no check could change it, both ends inclusive. */
export interface SettledTpp {
  readonly verified: VerifiedTpp;
  /** Milliseconds since 1970, as is `until`. */
  readonly from: number;
  readonly until: number;
}

/** How long a verdict of this time holds: while the leaf is valid, and the same of its paths hold. */
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

/** The time on this side of a period that is over, or not yet there, or never is. */
function around({ from, until }: { readonly from: number; readonly until: number }, time: number) {
  const always = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  if (from > until) return always;
  return time > until ? { ...always, from: until + 1 } : { ...always, until: from - 1 };
}

/** Whether a verdict stands at this time; at a time that is no number none does. */
export function standsAt({ from, until }: SettledTpp, now: Date): boolean {
  const time = now.getTime();
  return time >= from && time <= until;
}
