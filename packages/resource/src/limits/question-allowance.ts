import { awaitTurn, type Clock, PrivateServiceUnavailable, type Turn } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";

/**
 * A leaky bucket for each party, in this process, that only questions in vain fill: those whose answer `isWorthIt` rejects.
 * One that rejects every answer makes it a plain rate limit.
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
  /** What weighs of its questions in vain, as of `drainedAt`. */
  level: number;
  drainedAt: number;
  underWay: number;
  /** In the order in which they came. */
  readonly waiting: Set<Turn>;
}

/** What one question in vain weighs. As much as is allowed in a minute drains each millisecond, so that no figure is broken. */
const WEIGHT = 60_000;
/** More than there are TPPs; whoever has not asked for the longest time is forgiven first. */
const MAX_PARTIES = 10_000;

/** Makes the allowance of one process: so many at once, and so many a minute. */
export function createQuestionAllowance(
  { perMinute, waitMilliseconds }: AllowanceSettings,
  clock: Clock,
): QuestionAllowance {
  const most = perMinute * WEIGHT;
  const counts = new LRUCache<string, Count>({ max: MAX_PARTIES });
  const now = () => Math.floor(clock.monotonicMilliseconds());

  const isUsedUp = ({ level }: Count) => level + WEIGHT > most;
  const hasPlace = ({ level, underWay }: Count) => level + (underWay + 1) * WEIGHT <= most;
  const usedUp = ({ level }: Count) => new AllowanceUsedUp(Math.ceil((level + WEIGHT - most) / perMinute));

  function countOf(party: string): Count {
    const known = counts.get(party);
    if (known !== undefined) return known;
    const fresh = { level: 0, drainedAt: now(), underWay: 0, waiting: new Set<Turn>() };
    counts.set(party, fresh);
    return fresh;
  }

  function drain(count: Count): void {
    const at = now();
    count.level = Math.max(0, count.level - (at - count.drainedAt) * perMinute);
    count.drainedAt = at;
  }

  function sendAway({ waiting }: Count, reason: unknown): void {
    for (const { giveUp } of waiting) giveUp(reason);
  }

  function letIn(count: Count): void {
    drain(count);
    if (isUsedUp(count)) sendAway(count, usedUp(count));
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
    if (isUsedUp(count)) throw usedUp(count);
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
        drain(count);
        if (!isWorthIt(answer)) count.level += WEIGHT;
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
