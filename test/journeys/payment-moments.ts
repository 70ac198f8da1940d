import { setTimeout as delay } from "node:timers/promises";
import { openRandom, pickOne, pickWhole, type Random } from "../../packages/sandbox/src/bank/random.ts";

/** Stages in which a payment may be when something happens to the servers, and how long after reaching one a fault may wait. */
const STAGES = {
  initiation: 150,
  "start of the signing": 150,
  approval: 400,
  confirmation: 100,
  "hand-over": 400,
  settlement: 2_500,
} as const;

/** Stage of a payment. */
export type Stage = keyof typeof STAGES;

const ALL: readonly Stage[] = [
  "initiation",
  "start of the signing",
  "approval",
  "confirmation",
  "hand-over",
  "settlement",
];

/** A moment in the middle of several payments: some time after some number of them has reached a stage. */
export interface Moment {
  readonly stage: Stage;
  readonly payments: number;
  readonly milliseconds: number;
}

/** The moment that a seed picks; further random numbers continue from there. */
export function pickMoment(
  seed: string,
  payments: number,
): { readonly moment: Moment; readonly random: Random } {
  const random = openRandom(seed);
  const stage = pickOne(random, ALL) ?? "initiation";
  const moment = {
    stage,
    payments: pickWhole(random, 1, payments),
    milliseconds: pickWhole(random, 0, STAGES[stage]),
  };
  return { moment, random };
}

/** Counts the payments that have reached each stage. */
export interface StageCounter {
  reach(stage: Stage): void;
  /** Resolves at that moment, or when no payment is under way any more. */
  come(moment: Moment, over: Promise<unknown>): Promise<void>;
}

/** Makes an empty counter. */
export function countStages(): StageCounter {
  const reached = new Map<Stage, number>();
  const waiting = new Set<() => void>();
  return {
    reach: (stage) => {
      reached.set(stage, (reached.get(stage) ?? 0) + 1);
      for (const look of waiting) look();
    },
    come: async ({ stage, payments, milliseconds }, over) => {
      await Promise.race([
        over,
        new Promise<void>((resolve) => {
          const look = () => void ((reached.get(stage) ?? 0) >= payments && resolve());
          waiting.add(look);
          look();
        }),
      ]);
      await delay(milliseconds);
    },
  };
}
