import { LRUCache } from "lru-cache";
import { createMemoryShares } from "./memory-shares.ts";

/** An answer of auth, with the time of its question and the end of its life, in milliseconds of the monotonic clock. */
export interface RememberedAnswer<Answer> {
  readonly sentAt: number;
  readonly endsAt: number;
  readonly answer: Answer;
}

/** A bounded number of answers, each under a key; the caller of `find` decides whether an answer still serves. */
export interface AnswerMemory<Answer> {
  find(key: string): RememberedAnswer<Answer> | undefined;
  keep(key: string, remembered: RememberedAnswer<Answer>): void;
  forget(key: string): void;
  /** Forgets every answer that depends on this name. */
  forgetHanging(name: string): void;
  forgetAll(): void;
  /** How often everything was forgotten; shows whether an answer was asked for before the last time. */
  generation(): number;
  /** Number of answers. */
  size(): number;
}

/** How much is remembered, and what each answer depends on. */
export interface MemoryOptions<Answer> {
  readonly most: number;
  /** Limit for the total size of all answers, if they differ in size. */
  readonly room?: { readonly most: number; readonly sizeOf: (answer: Answer) => number };
  /** Names of the endings that end an answer; the caller chooses the names. */
  readonly namesOf: (answer: Answer) => readonly string[];
  /** Whose answer it is. With it, no party fills the memory for all. */
  readonly partyOf?: (answer: Answer) => string;
}

/** A party with more than this part of the memory loses answers first. */
const SHARE = 1 / 4;

/**
 * Creates an empty memory. When it is full, the oldest answer of a party with more than a quarter of it is dropped; if there
 * is none, or nobody has said whose answers these are, the least recently used answer.
 */
export function createAnswerMemory<Answer>(options: MemoryOptions<Answer>): AnswerMemory<Answer> {
  const { most, room, namesOf, partyOf } = options;
  const sizeOf = room?.sizeOf ?? (() => 1);
  const mostSize = room?.most ?? most;
  const shares = createMemoryShares({ keys: most * SHARE, size: mostSize * SHARE });
  /** Keys of the answers that depend on each name. */
  const hanging = new Map<string, Set<string>>();
  let generation = 0;
  const answers = new LRUCache<string, RememberedAnswer<Answer>>({
    max: most,
    ...(room && {
      maxSize: room.most,
      sizeCalculation: ({ answer }: RememberedAnswer<Answer>) => room.sizeOf(answer),
    }),
    dispose: ({ answer }, key) => {
      if (partyOf !== undefined) shares.remove(partyOf(answer), key, sizeOf(answer));
      for (const name of namesOf(answer)) {
        const keys = hanging.get(name);
        keys?.delete(key);
        if (keys?.size === 0) hanging.delete(name);
      }
    },
  });
  const isFullFor = (answer: Answer) =>
    answers.size >= most || (room !== undefined && answers.calculatedSize + sizeOf(answer) > room.most);

  /** Drops what parties have beyond their shares, as far as the answer needs room. */
  function makeRoom(party: string, answer: Answer): void {
    while (isFullFor(answer)) {
      const excess = shares.findExcess(party);
      if (excess === undefined) return;
      answers.delete(excess);
    }
  }

  return {
    find: (key) => answers.get(key),
    keep: (key, remembered) => {
      const { answer } = remembered;
      const party = partyOf?.(answer);
      answers.delete(key);
      if (party !== undefined) makeRoom(party, answer);
      answers.set(key, remembered);
      // One that is larger than all the room is not kept.
      if (!answers.has(key)) return;
      if (party !== undefined) shares.add(party, key, sizeOf(answer));
      for (const name of namesOf(answer))
        hanging.set(name, (hanging.get(name) ?? new Set<string>()).add(key));
    },
    forget: (key) => void answers.delete(key),
    forgetHanging: (name) => {
      for (const key of [...(hanging.get(name) ?? [])]) answers.delete(key);
    },
    forgetAll: () => {
      generation += 1;
      answers.clear();
    },
    generation: () => generation,
    size: () => answers.size,
  };
}
