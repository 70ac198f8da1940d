/**
 * Limits of one PSU over all of their orders. A thief of a session can have any number of orders sent: five tries for each would
 * be unlimited tries, and five codes for each a flood of messages that the bank pays for.
 */
import type { SigningMove } from "./signing-request.ts";

/** Counts of one PSU. */
export interface SigningStanding {
  /** Codes sent, or tried to send, since `codesSince`; they count for an hour from then. */
  readonly codes: number;
  readonly codesSince: Date | undefined;
  /** Wrong elements since the last approval. */
  readonly failures: number;
  readonly heldOffUntil: Date | undefined;
}

/** Wrong elements in a row, over all orders, that hold a PSU off (RTS Article 4(3)(b)). */
const MOST_FAILURES = 5;
const HELD_OFF_MILLISECONDS = 15 * 60 * 1000;
const HOUR_MILLISECONDS = 60 * 60 * 1000;

/**
 * Why a PSU cannot make a move before `until`:
 * - `failures`: too many wrong elements; until then codes and passkeys are not accepted, and no code is sent
 * - `codes`: too many codes sent; the last code of an order, and a passkey, still approve it
 */
export interface HoldOff {
  readonly because: "failures" | "codes";
  readonly until: Date;
}

/** Time until which a PSU can approve nothing because of too many wrong elements; undefined when they can. */
function findEndOfFailures({ heldOffUntil }: SigningStanding, now: Date): Date | undefined {
  return stillAhead(heldOffUntil, HELD_OFF_MILLISECONDS, now);
}

/** A move, or a question about a code that is not made yet. */
type AskedMove = SigningMove | Pick<Extract<SigningMove, { readonly move: "replace_code" }>, "move">;

/** Finds why this move cannot be made now; undefined when it can. A PSU can always decline an order. */
export function findHoldOff(
  standing: SigningStanding,
  move: AskedMove,
  { now, codesPerHour }: { readonly now: Date; readonly codesPerHour: number },
): HoldOff | undefined {
  const heldOffUntil = findEndOfFailures(standing, now);
  const isElement = move.move === "approve" || isFailure(move) || move.move === "replace_code";
  if (isElement && heldOffUntil !== undefined) return { because: "failures", until: heldOffUntil };
  const hourEnd = endOfHour(standing, now);
  const isCodeTooMany = move.move === "replace_code" && standing.codes >= codesPerHour;
  return isCodeTooMany && hourEnd !== undefined ? { because: "codes", until: hourEnd } : undefined;
}

/** Computes the standing after a move; the same object when the move does not count. */
export function standingAfter(standing: SigningStanding, move: SigningMove, now: Date): SigningStanding {
  if (move.move === "approve") return { ...standing, failures: 0 };
  if (move.move === "replace_code") {
    const counts = endOfHour(standing, now) !== undefined;
    return counts ? { ...standing, codes: standing.codes + 1 } : { ...standing, codes: 1, codesSince: now };
  }
  if (!isFailure(move)) return standing;
  const failures = standing.failures + 1;
  const isLast = failures % MOST_FAILURES === 0;
  return {
    ...standing,
    failures,
    ...(isLast && { heldOffUntil: new Date(now.getTime() + HELD_OFF_MILLISECONDS) }),
  };
}

/** Finds the hold-off that a move has begun; undefined when it has begun none. */
export function findBegunHoldOff(before: SigningStanding, after: SigningStanding): HoldOff | undefined {
  const until = after.heldOffUntil;
  return until === undefined || until === before.heldOffUntil ? undefined : { because: "failures", until };
}

function isFailure(move: AskedMove): boolean {
  return move.move === "count_try" || (move.move === "refuse" && move.reason === "tries_exhausted");
}

/** End of the hour in which codes are counted; undefined when it has passed. */
function endOfHour({ codesSince }: SigningStanding, now: Date): Date | undefined {
  if (codesSince === undefined) return undefined;
  return stillAhead(new Date(codesSince.getTime() + HOUR_MILLISECONDS), HOUR_MILLISECONDS, now);
}

/**
 * Returns the end of a period of `milliseconds` while it is in the future. An end more than an hour beyond that was set by a
 * clock that ran ahead, and would last until all other clocks had caught up.
 */
function stillAhead(end: Date | undefined, milliseconds: number, now: Date): Date | undefined {
  const left = (end?.getTime() ?? 0) - now.getTime();
  return left > 0 && left <= milliseconds + HOUR_MILLISECONDS ? end : undefined;
}
