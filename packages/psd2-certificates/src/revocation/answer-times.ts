import { UnusableAnswer } from "./revocation-answer.ts";

/** How far the clocks of the bank and of a source may be apart. */
const skewMilliseconds = 5 * 60_000;
/** RFC 6960 2.4 lets an answer without nextUpdate be as old as one likes; here it is as if it ended after this. */
const endlessMilliseconds = 15 * 60_000;

/** The times of an answer or a list. */
export interface AnswerTimes {
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
}

/** Until when an answer stands, in milliseconds since 1970; throws an `UnusableAnswer` when now is not in its time. */
export function requireInTime({ thisUpdate, nextUpdate }: AnswerTimes, now: Date): number {
  const from = thisUpdate.getTime();
  const until = nextUpdate?.getTime() ?? from + endlessMilliseconds;
  if (until < from) throw new UnusableAnswer("it ends before it begins");
  // Written so that a time which is no number is in no time.
  if (!(now.getTime() >= from - skewMilliseconds))
    throw new UnusableAnswer(`it is of the future, from ${thisUpdate.toISOString()}`);
  if (!(now.getTime() <= until + skewMilliseconds))
    throw new UnusableAnswer(`it is stale since ${new Date(until).toISOString()}`);
  return until;
}
