import { LRUCache } from "lru-cache";

/** What auth answered; when the question was sent and when the answer ends, on the monotonic clock in milliseconds. */
export interface RememberedAnswer<Answer> {
  readonly sentAt: number;
  readonly endsAt: number;
  readonly answer: Answer;
}

/** Answers, bounded, each under a key; whether what was found still serves is decided by whoever looks it up. */
export interface AnswerMemory<Answer> {
  find(key: string): RememberedAnswer<Answer> | undefined;
  keep(key: string, remembered: RememberedAnswer<Answer>): void;
  forget(key: string): void;
  /** Forgets every answer that hangs on this name. */
  forgetHanging(name: string): void;
  forgetAll(): void;
  /** How often everything was forgotten, so that an answer shows whether it was asked for before the last time. */
  generation(): number;
  /** How many there are. */
  size(): number;
}

/** How much is remembered, and what each answer hangs on. */
export interface MemoryOptions<Answer> {
  readonly most: number;
  /** Of all answers together, where they differ in size. */
  readonly room?: { readonly most: number; readonly sizeOf: (answer: Answer) => number };
  /** The endings that end an answer, by names of the caller's own. */
  readonly namesOf: (answer: Answer) => readonly string[];
}

/** Makes an empty memory; the answer that was not used for the longest time goes first. */
export function createAnswerMemory<Answer>(options: MemoryOptions<Answer>): AnswerMemory<Answer> {
  const { most, room, namesOf } = options;
  /** The keys of the answers that hang on each name. */
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
