/**
 * Decides which refused sign-ins get an entry in the audit log, so that a flood can neither fill it nor hide what was tried with
 * a PSU. Attempts with unknown names share one bound. Each PSU has a bound for evaluated attempts (a stranger has five before the
 * PSU is blocked), and another one for tries during a block, of which there can be any number. Attempts without an entry are
 * counted per PSU. This file owns the numbers, not how they are written down.
 */
import type { PsuId } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { SignInOutcome } from "./psu-login.ts";

/** The two ways in which a sign-in is turned away. */
export type Refusal = Extract<SignInOutcome["outcome"], "refused" | "blocked">;

/** One attempt, and the PSU whom it was for; undefined when unknown or nobody. */
export interface RefusedAttempt {
  readonly refusal: Refusal;
  readonly psu: PsuId | undefined;
}

/** A number of attempts that have no entry. */
export interface Unrecorded {
  readonly psu: PsuId | undefined;
  readonly attempts: number;
}

/** What to record of an attempt. */
export interface Bounded {
  readonly isRecorded: boolean;
  /** Earlier attempts for the same PSU that have no entry; 0 when this one has none either. */
  readonly unrecordedBefore: number;
  /** Numbers of other PSUs, which are no longer kept. */
  readonly displaced: readonly Unrecorded[];
}

/** The numbers of one process. A caller that takes one out writes it down, or gives it back. */
export interface RefusalBound {
  take(attempt: RefusedAttempt): Bounded;
  giveBack(unrecorded: Unrecorded): void;
  /** Takes out numbers whose minute is over, or any; at most {@link TAKEN_AT_ONCE}. */
  takeOut(which: "over" | "any"): readonly Unrecorded[];
}

/** Attempts per minute that get an entry: for all unknown names together, and for each known PSU. */
export const RECORDED_PER_MINUTE = { unknown: 60, refused: 20, blocked: 5 } as const;

/** PSUs that are kept apart in a minute; when there are more, the oldest one goes. */
const MAX_PSUS = 10_000;

/** Numbers that are taken out together, at most: entries of one statement. */
export const TAKEN_AT_ONCE = 1_000;

const MINUTE_MILLISECONDS = 60_000;

/** A minute of one PSU; the oldest is the first in the map. */
interface Minute {
  readonly began: number;
  readonly seen: Record<Refusal, number>;
  unrecorded: number;
}

function isFull({ seen }: Minute, { refusal, psu }: RefusedAttempt): boolean {
  if (psu === undefined) return seen.refused + seen.blocked >= RECORDED_PER_MINUTE.unknown;
  return seen[refusal] >= RECORDED_PER_MINUTE[refusal];
}

/** Makes a bound that has counted nothing. */
export function createRefusalBound(clock: Clock, maxPsus: number = MAX_PSUS): RefusalBound {
  const minutes = new Map<PsuId | undefined, Minute>();
  const isOver = ({ began }: Minute) => clock.monotonicMilliseconds() - began >= MINUTE_MILLISECONDS;

  function begin(psu: PsuId | undefined, unrecorded: number): Minute {
    const began = clock.monotonicMilliseconds();
    const minute = { began, seen: { refused: 0, blocked: 0 }, unrecorded };
    // So that it comes last.
    minutes.delete(psu);
    minutes.set(psu, minute);
    return minute;
  }

  function takeOutWhile(goesOn: (minute: Minute, taken: number) => boolean): readonly Unrecorded[] {
    const taken: Unrecorded[] = [];
    for (const [psu, minute] of minutes) {
      if (!goesOn(minute, taken.length)) break;
      minutes.delete(psu);
      if (minute.unrecorded > 0) taken.push({ psu, attempts: minute.unrecorded });
    }
    return taken;
  }

  return {
    take(attempt) {
      const { psu, refusal } = attempt;
      const known = minutes.get(psu);
      const displaced = known ? [] : takeOutWhile(() => minutes.size >= maxPsus);
      const minute = known && !isOver(known) ? known : begin(psu, known?.unrecorded ?? 0);
      if (isFull(minute, attempt)) {
        minute.unrecorded += 1;
        return { isRecorded: false, unrecordedBefore: 0, displaced };
      }
      minute.seen[refusal] += 1;
      const unrecordedBefore = minute.unrecorded;
      minute.unrecorded = 0;
      return { isRecorded: true, unrecordedBefore, displaced };
    },
    giveBack({ psu, attempts }) {
      const minute = minutes.get(psu) ?? begin(psu, 0);
      minute.unrecorded += attempts;
    },
    takeOut: (which) =>
      takeOutWhile((minute, taken) => taken < TAKEN_AT_ONCE && (which === "any" || isOver(minute))),
  };
}
