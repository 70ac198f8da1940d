import { LRUCache } from "lru-cache";

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
}

/** Creates an empty memory; the least recently used answer is dropped first. */
export function createAnswerMemory<Answer>(options: MemoryOptions<Answer>): AnswerMemory<Answer> {
  const { most, room, namesOf } = options;
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
      for (const name of namesOf(answer)) {
        const keys = hanging.get(name);
        keys?.delete(key);
        if (keys?.size === 0) hanging.delete(name);
      }
    },
  });
  return {
    find: (key) => answers.get(key),
    keep: (key, remembered) => {
      answers.set(key, remembered);
      for (const name of namesOf(remembered.answer))
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
