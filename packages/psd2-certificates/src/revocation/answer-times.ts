import { UnusableAnswer } from "./revocation-answer.ts";

/** Most milliseconds by which the clocks of the bank and of a source may differ. */
const skewMilliseconds = 5 * 60_000;
/** Lifetime of an answer without nextUpdate, for which RFC 6960 2.4 sets no limit. */
const endlessMilliseconds = 15 * 60_000;

/** The times of an answer or a list. */
export interface AnswerTimes {
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
}

/** Returns until when an answer is valid, in milliseconds since 1970; throws an `UnusableAnswer` if it is not valid now. */
export function requireInTime({ thisUpdate, nextUpdate }: AnswerTimes, now: Date): number {
  const from = thisUpdate.getTime();
  const until = nextUpdate?.getTime() ?? from + endlessMilliseconds;
  if (until < from) throw new UnusableAnswer("nextUpdate is before thisUpdate");
  // Written so that NaN is in no period.
  if (!(now.getTime() >= from - skewMilliseconds))
    throw new UnusableAnswer(`thisUpdate is in the future: ${thisUpdate.toISOString()}`);
  if (!(now.getTime() <= until + skewMilliseconds))
    throw new UnusableAnswer(`the answer expired at ${new Date(until).toISOString()}`);
  return until;
}
