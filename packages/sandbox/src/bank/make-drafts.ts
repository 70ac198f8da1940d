import type { Habit } from "./account-plan.ts";
import type { BookingKindName } from "./booking-kinds.ts";
import { type DemoDay, occurrencesOf } from "./demo-days.ts";
import type { OpenedLedger } from "./open-accounts.ts";
import { pickWhole, type Random } from "./random.ts";
import { RESERVES } from "./reserves.ts";

/** Something about to happen, if the balance allows it. */
export type Draft = {
  readonly own: OpenedLedger;
  readonly habit: Habit;
  /** Minor units. */
  readonly amount: bigint;
  readonly day: DemoDay;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly random: Random;
  /** The draft that it takes back, and by which kind; without a kind the bank cancels it. */
  readonly undoes?: { readonly draft: Draft; readonly by: BookingKindName | undefined };
};

/** A currency of an account, and the random numbers that decide what happens in it. */
export type Stream = { readonly own: OpenedLedger; readonly random: Random };

const OPENING_KINDS = { CZK: "incoming", EUR: "sepaIncoming", USD: "foreignIncoming" } as const;
const MINUTE = 60_000;
// Times from 5:00 to 20:59 UTC fall on the same date in Prague, in summer and in winter.
const OPENING_MINUTE = 5 * 60;
const FIRST_MINUTE = 6 * 60;
const EVENING_MINUTE = 18 * 60;
const LAST_MINUTE = 21 * 60 - 1;
const UNDOING_MINUTES = 45;

/** The first deposit. */
export function openingOf({ own, random }: Stream, day: DemoDay): Draft {
  const opening = own.plan.opening + RESERVES[own.plan.currency];
  const habit: Habit = {
    kind: OPENING_KINDS[own.plan.currency],
    when: { monthlyOn: 1 },
    amount: [opening, opening],
    parties: [own.party],
    message: "První vklad",
  };
  const at = day.start + OPENING_MINUTE * MINUTE;
  return { own, habit, amount: BigInt(opening) * 100n, day, at, random };
}

/** What is about to happen on a day. */
export function draftsOf(stream: Stream, day: DemoDay): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const habit of stream.own.plan.habits) {
    for (let left = occurrencesOf(habit, day, stream.random); left > 0; left -= 1) {
      const draft = drawDraft(stream, habit, day);
      drafts.push(draft, ...undoingOf(draft));
    }
  }
  return drafts;
}

/** What is blocked or announced on the evening of a day. */
export function pendingDraftsOf({ own, random }: Stream, day: DemoDay): readonly Draft[] {
  return (own.plan.pending ?? []).map((habit) => {
    const at = day.start + pickWhole(random, EVENING_MINUTE, LAST_MINUTE) * MINUTE;
    return { own, habit, amount: drawAmount(habit, random), day, at, random };
  });
}

function drawDraft({ own, random }: Stream, habit: Habit, day: DemoDay): Draft {
  const amount = drawAmount(habit, random);
  const last = habit.undone === undefined ? LAST_MINUTE : EVENING_MINUTE;
  return { own, habit, amount, day, at: day.start + pickWhole(random, FIRST_MINUTE, last) * MINUTE, random };
}

function undoingOf(draft: Draft): readonly Draft[] {
  const { undone } = draft.habit;
  if (undone === undefined || draft.day.month % undone.everyMonths !== 0) return [];
  const turn = Math.floor(draft.day.month / undone.everyMonths) % Math.max(undone.by.length, 1);
  const undoes = { draft, by: undone.by[turn] };
  return [{ ...draft, at: draft.at + UNDOING_MINUTES * MINUTE, undoes }];
}

function drawAmount({ amount: [low, high], step = 1 }: Habit, random: Random): bigint {
  return BigInt(pickWhole(random, Math.ceil((low * 100) / step), Math.floor((high * 100) / step)) * step);
}
