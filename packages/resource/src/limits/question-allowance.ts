import { awaitTurn, type Clock, PrivateServiceUnavailable, type Turn } from "@cobs/service-edge";
import { createLeakyBucket, keepForEach, type LeakyBucket } from "./leaky-bucket.ts";

/**
 * A leaky bucket for each party, in this process. Only wasted questions to auth fill it: those whose answer `isWorthIt`
 * rejects.
 */
export interface QuestionAllowance {
  /**
   * Asks on behalf of a party. A question takes a place before it is asked, so that concurrent questions cannot exceed the
   * limit together. It returns the place when the answer is worth it, or when there is no answer; otherwise the place becomes
   * free again with time.
   *
   * While all places are taken by questions in progress, a further question waits for one of them, so that good questions are
   * not refused for being many; it throws `PrivateServiceUnavailable` when no place becomes free in time. When only time can
   * free a place, this question and those that wait are refused with `AllowanceUsedUp`.
   */
  ask<Answer>(
    party: string,
    question: () => Answer | Promise<Answer>,
    isWorthIt: (answer: Answer) => boolean,
  ): Promise<Answer>;
}

/** A party has wasted as many questions as it may for now. */
export class AllowanceUsedUp extends Error {
  override readonly name = "AllowanceUsedUp";
  /** Milliseconds until a place is free, at least one. */
  readonly waitMilliseconds: number;

  constructor(waitMilliseconds: number) {
    super("too many wasted questions");
    this.waitMilliseconds = waitMilliseconds;
  }
}

/** How many questions a party may waste per minute, and how long a question waits for its turn. */
export interface AllowanceSettings {
  readonly perMinute: number;
  readonly waitMilliseconds: number;
}

/** The questions of one party. */
interface Count {
  /** Its wasted questions. */
  readonly bucket: LeakyBucket;
  underWay: number;
  /** Waiting questions, in the order of their arrival. */
  readonly waiting: Set<Turn>;
}

/** Creates the allowance of one process: `perMinute` wasted questions at once, and as many per minute. */
export function createQuestionAllowance(
  { perMinute, waitMilliseconds }: AllowanceSettings,
  clock: Clock,
): QuestionAllowance {
  const countOf = keepForEach<Count>(() => ({
    bucket: createLeakyBucket(perMinute, clock),
    underWay: 0,
    waiting: new Set(),
  }));

  const hasPlace = ({ bucket, underWay }: Count) => bucket.waitFor(underWay) === 0;
  /** The refusal when the bucket is full; undefined while a question in progress may still free a place. */
  function usedUp({ bucket }: Count): AllowanceUsedUp | undefined {
    const waitMilliseconds = bucket.waitFor();
    return waitMilliseconds === 0 ? undefined : new AllowanceUsedUp(waitMilliseconds);
  }

  function sendAway({ waiting }: Count, reason: unknown): void {
    for (const { giveUp } of waiting) giveUp(reason);
  }

  function letIn(count: Count): void {
    const refusal = usedUp(count);
    if (refusal !== undefined) sendAway(count, refusal);
    for (const turn of count.waiting) {
      if (!hasPlace(count)) return;
      count.underWay += 1;
      turn.begin();
    }
  }

  function late(): Error {
    const cause = new Error(`no free slot within ${waitMilliseconds} ms`);
    return new PrivateServiceUnavailable("auth", { cause });
  }

  /** Takes a place; a promise when it must wait for one, undefined when one was free. Throws `AllowanceUsedUp`. */
  function takePlace(count: Count): Promise<void> | undefined {
    letIn(count);
    const refusal = usedUp(count);
    if (refusal !== undefined) throw refusal;
    if (!hasPlace(count)) return awaitTurn(count.waiting, waitMilliseconds, late);
    count.underWay += 1;
    return undefined;
  }

  return {
    ask: async (party, question, isWorthIt) => {
      const count = countOf(party);
      const turn = takePlace(count);
      if (turn !== undefined) await turn;
      try {
        const answer = await question();
        if (!isWorthIt(answer)) count.bucket.fill();
        return answer;
      } catch (failure) {
        // Auth does not answer now: the questions behind this one would wait as long for the same failure.
        sendAway(count, failure);
        throw failure;
      } finally {
        count.underWay -= 1;
        letIn(count);
      }
    },
  };
}
