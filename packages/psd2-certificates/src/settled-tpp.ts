import type { Examination, VerifiedTpp } from "./certificate-checks.ts";

/** A verdict for one connection, and the period in which no check could change it, both ends inclusive. */
export interface SettledTpp {
  readonly verified: VerifiedTpp;
  /** Milliseconds since 1970, as is `until`. */
  readonly from: number;
  readonly until: number;
}

/**
 * How long a verdict holds: while the leaf is valid and the path holds. Undefined when the path was not the first
 * choice, because that one may become valid.
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
