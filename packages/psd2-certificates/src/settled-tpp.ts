import type { Examination, VerifiedTpp } from "./certificate-checks.ts";

/** A verdict on one connection that no check would give otherwise from one instant to another, both inclusive. */
export interface SettledTpp {
  readonly verified: VerifiedTpp;
  /** Milliseconds since 1970, as is `until`. */
  readonly from: number;
  readonly until: number;
}

/**
 * For how long a verdict stands: the leaf is in its time and the path holds. Undefined when it came by a path that was not
 * the first choice, because the first may come to hold.
 */
export function settle({ validity, paths }: Examination, verified: VerifiedTpp): SettledTpp | undefined {
  if (verified.path !== paths[0]) return undefined;
  const { periods } = verified.path;
  return {
    verified,
    from: Math.max(validity.notBefore, ...periods.map(({ from }) => from)),
    until: Math.min(validity.notAfter, ...periods.map(({ until }) => until)),
  };
}

/** Whether a verdict stands at this time; at a time that is no number none does. */
export function standsAt({ from, until }: SettledTpp, now: Date): boolean {
  const time = now.getTime();
  return time >= from && time <= until;
}
