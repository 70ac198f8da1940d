import { type CountJob, pause, type Repeated, repeat, tellFailure } from "@cobs/service-edge";
import {
  type BeginStep,
  beginFollowing,
  beginHandOvers,
  beginInstant,
  type ExecutionParts,
} from "./execute-payments.ts";
import { beginRechecks } from "./recheck-rejections.ts";

/**
 * How many payments a process works on at once, separately for instant ones, for hand-overs, for those it follows and for
 * rejected ones: instant ones also count among the others if these come to them first.
 */
const MOST_AT_ONCE = 8;
/** Longest pause between two looks at what is due; a payment that is over ends it, because another may have its place. */
const LOOK_MILLISECONDS = 250;
/** Those that are over at about the same time are replaced together, by one statement for each step. */
const GATHER_MILLISECONDS = 10;
const TROUBLE_MILLISECONDS = 1_000;

/**
 * Executes approved payments until it is stopped. Stopping waits for those in progress as long as the end of a process
 * allows; the outcome of the others is looked up later. Every process does this, and each payment is worked on by one process
 * at a time. A payment with which the bank is slow delays no other, and no number of others delays an instant one.
 */
export function startExecutingPayments(
  parts: ExecutionParts & { readonly stopMilliseconds: number; readonly countJob?: CountJob },
): Repeated {
  const { countJob = () => repeat } = parts;
  const steps: readonly Step[] = [beginInstant, beginHandOvers, beginFollowing, beginRechecks].map(
    (begin) => ({
      begin,
      underWay: new Set(),
      over: 0,
    }),
  );
  const underWay = () => steps.flatMap((step) => [...step.underWay]);
  const over = () => steps.reduce((sum, step) => sum + step.over, 0);
  const repeated = countJob("payment_execution")(
    async (signal) => {
      const before = over();
      for (const step of steps) await fill(step, parts);
      // A claim may take longer than a payment.
      if (over() === before) {
        if (underWay().length === 0) return LOOK_MILLISECONDS;
        await within(LOOK_MILLISECONDS, Promise.race(underWay()), [signal]);
      }
      await within(GATHER_MILLISECONDS, Promise.all(underWay()), [signal]);
      return 0;
    },
    tellFailure(parts.log, "no payments could be claimed for execution", TROUBLE_MILLISECONDS),
  );
  return {
    stop: async () => {
      await repeated.stop();
      await within(parts.stopMilliseconds, Promise.all(underWay()));
    },
  };
}

interface Step {
  readonly begin: BeginStep;
  readonly underWay: Set<Promise<void>>;
  /** How many are over so far. */
  over: number;
}

async function fill(step: Step, parts: ExecutionParts): Promise<void> {
  const { begin, underWay } = step;
  const free = MOST_AT_ONCE - underWay.size;
  for (const payment of free === 0 ? [] : await begin(parts, free)) {
    const over: Promise<void> = payment.finally(() => {
      underWay.delete(over);
      step.over += 1;
    });
    underWay.add(over);
  }
}

/** Waits until a promise is kept, the time is over, or a signal is raised. */
async function within(
  milliseconds: number,
  kept: Promise<unknown>,
  signals: readonly AbortSignal[] = [],
): Promise<void> {
  const over = new AbortController();
  await Promise.race([kept, pause(milliseconds, [...signals, over.signal])]);
  over.abort();
}
