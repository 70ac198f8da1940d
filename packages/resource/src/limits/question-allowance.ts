import { awaitTurn, type Clock, PrivateServiceUnavailable, type Turn } from "@cobs/service-edge";
import { createLeakyBucket, keepForEach, type LeakyBucket } from "./leaky-bucket.ts";

/**
 * A leaky bucket for each party, in this process, that only questions to auth in vain fill: those whose answer `isWorthIt`
 * rejects.
 */
export interface QuestionAllowance {
  /**
   * Asks for a party. A question takes a place before it is asked, so that questions at the same time cannot exceed the
   * limit together. It returns the place when the answer is worth it, or when there is none; otherwise the place becomes free
   * again with time. While all places are taken by questions in progress, a further one waits for one of them, so that
   * good questions are not refused for being many; it throws `PrivateServiceUnavailable` when none becomes free in time. When
   * only time can free a place, it refuses with `AllowanceUsedUp`, and so do those that wait.
   */
  ask<Answer>(
    party: string,
    question: () => Answer | Promise<Answer>,
    isWorthIt: (answer: Answer) => boolean,
  ): Promise<Answer>;
}

/** A party has asked in vain as often as it may for now. */
export class AllowanceUsedUp extends Error {
  override readonly name = "AllowanceUsedUp";
  /** Until a place is free: one at least. */
  readonly waitMilliseconds: number;

  constructor(waitMilliseconds: number) {
    super("too many questions in vain");
    this.waitMilliseconds = waitMilliseconds;
  }
}

/** How many questions in vain, and how long one waits for its turn. */
export interface AllowanceSettings {
  readonly perMinute: number;
  readonly waitMilliseconds: number;
}

/** What a party has asked. */
interface Count {
  /** Its questions in vain. */
  readonly bucket: LeakyBucket;
  underWay: number;
  /** In the order in which they came. */
  readonly waiting: Set<Turn>;
}

/** Makes the allowance of one process: so many at once, and so many a minute. */
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
  /** Undefined while a question under way may free a place. */
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
    const cause = new Error(`no turn within ${waitMilliseconds} ms`);
    return new PrivateServiceUnavailable("auth", { cause });
  }

  /** Undefined when a place was free. */
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
        // Nobody answers now: whoever waits behind this one would wait as long for the same.
        sendAway(count, failure);
        throw failure;
      } finally {
        count.underWay -= 1;
        letIn(count);
      }
    },
  };
}
