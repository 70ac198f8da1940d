import type { Clock } from "@cobs/service-edge";
import { createLeakyBucket, keepForEach } from "./leaky-bucket.ts";

/** A leaky bucket for each party, in this process. Every question to auth that is answered fills it, whatever the answer. */
export interface QuestionShare {
  /** Throws `ShareUsedUp` when the party has asked as many questions as it may for now. */
  requireRoom(party: string): void;
  /** Asks, and counts the question from its beginning; one without an answer is taken back. */
  count<Answer>(party: string, question: () => Promise<Answer>): Promise<Answer>;
}

/** A party has asked as many questions as it may for now. */
export class ShareUsedUp extends Error {
  override readonly name = "ShareUsedUp";
  /** Milliseconds until there is room for one more question, at least one. */
  readonly waitMilliseconds: number;

  constructor(waitMilliseconds: number) {
    super("too many questions");
    this.waitMilliseconds = waitMilliseconds;
  }
}

/** Creates the shares of one process: for each party `perMinute` questions at once, and as many per minute. */
export function createQuestionShare(perMinute: number, clock: Clock): QuestionShare {
  const bucketOf = keepForEach(() => createLeakyBucket(perMinute, clock));
  return {
    requireRoom: (party) => {
      const waitMilliseconds = bucketOf(party).waitFor();
      if (waitMilliseconds > 0) throw new ShareUsedUp(waitMilliseconds);
    },
    count: async (party, question) => {
      const bucket = bucketOf(party);
      bucket.fill();
      try {
        return await question();
      } catch (failure) {
        bucket.takeBack();
        throw failure;
      }
    },
  };
}
