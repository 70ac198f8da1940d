/**
 * Where a PSU stands with all of their orders together. Whoever has stolen a session can be sent any number of orders: five
 * tries for each of them would be any number of tries, and five codes for each a flood of messages that the bank pays for.
 */
import type { SigningMove } from "./signing-request.ts";

/** What is counted of a PSU. */
export interface SigningStanding {
  /** Sent, or tried to send, since `codesSince`; they count for an hour from then. */
  readonly codes: number;
  readonly codesSince: Date | undefined;
  /** Wrong elements since the last approval. */
  readonly failures: number;
  readonly heldOffUntil: Date | undefined;
}

/** So many wrong elements in a row, of whatever orders, hold a PSU off (RTS Article 4(3)(b)). */
const MOST_FAILURES = 5;
const HELD_OFF_MILLISECONDS = 15 * 60 * 1000;
const HOUR_MILLISECONDS = 60 * 60 * 1000;

/**
 * Why a PSU makes a move no sooner than at `until`:
 * - `failures`: of too many wrong elements; until then they type no code, use no passkey and get no code
 * - `codes`: they were sent too many; the last code of an order, and a passkey, still approve it
 */
export interface HoldOff {
  readonly because: "failures" | "codes";
  readonly until: Date;
}

/** Until when a PSU approves nothing, because of too many wrong elements; undefined when they may. */
function findEndOfFailures({ heldOffUntil }: SigningStanding, now: Date): Date | undefined {
  return stillAhead(heldOffUntil, HELD_OFF_MILLISECONDS, now);
}

/** A code that is not made yet may be asked about too. */
type AskedMove = SigningMove | Pick<Extract<SigningMove, { readonly move: "replace_code" }>, "move">;

/** Whether this move is not made now; undefined when it may be. Refusing an order always may. */
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

/** The standing after a move; the same object when the move does not count. */
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

/** How a move has held its PSU off; undefined when it has not. */
export function findBegunHoldOff(before: SigningStanding, after: SigningStanding): HoldOff | undefined {
  const until = after.heldOffUntil;
  return until === undefined || until === before.heldOffUntil ? undefined : { because: "failures", until };
}

function isFailure(move: AskedMove): boolean {
  return move.move === "count_try" || (move.move === "refuse" && move.reason === "tries_exhausted");
}

/** When the hour of the codes is over; undefined when it is. */
function endOfHour({ codesSince }: SigningStanding, now: Date): Date | undefined {
  if (codesSince === undefined) return undefined;
  return stillAhead(new Date(codesSince.getTime() + HOUR_MILLISECONDS), HOUR_MILLISECONDS, now);
}

/**
 * The end of a time of so many milliseconds, while it is to come. One that is more than an hour further ahead was set by a clock
 * that was, and would last until all others had caught up.
 */
function stillAhead(end: Date | undefined, milliseconds: number, now: Date): Date | undefined {
  const left = (end?.getTime() ?? 0) - now.getTime();
  return left > 0 && left <= milliseconds + HOUR_MILLISECONDS ? end : undefined;
}
