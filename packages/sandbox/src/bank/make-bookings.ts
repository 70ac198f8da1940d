import type { AccountId } from "@cobs/cobs-model";
import type { Booking, Leg } from "@cobs/resource";
import type { Habit } from "./account-plan.ts";
import { detailsOf } from "./booking-details.ts";
import { BOOKING_KINDS } from "./booking-kinds.ts";
import { type DemoDay, daysBefore, occurrencesOf } from "./demo-days.ts";
import { bankAccountId, type OpenedAccount } from "./open-accounts.ts";
import { openRandom, pickOne, pickWhole, type Random } from "./random.ts";

/** Something that is about to happen, if the balance allows it. */
type Draft = {
  readonly own: OpenedAccount;
  readonly habit: Habit;
  readonly amount: bigint;
  readonly day: DemoDay;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly random: Random;
};

const MINUTE = 60_000;
// From 5:00 to 20:59 UTC it is the same date in Prague, in summer and in winter.
const OPENING_MINUTE = 5 * 60;
const FIRST_MINUTE = 6 * 60;
const LAST_MINUTE = 21 * 60 - 1;

/** Two years of bookings up to the last midnight before `asOf`, in order of time; nobody goes below their limit. */
export function makeBookings(opened: readonly OpenedAccount[], seed: string, asOf: Date): readonly Booking[] {
  const days = daysBefore(asOf);
  const streams = opened.map((own) => ({ own, random: openRandom(`${seed}/bookings/${own.account.id}`) }));
  const ledger = openLedger(opened);
  const drafts = days.flatMap((day, index) => [
    ...(index === 0 ? streams.map((stream) => openingOf(stream, day)) : []),
    ...streams.flatMap((stream) => draftsOf(stream, day)).sort((one, other) => one.at - other.at),
  ]);
  return drafts.flatMap((draft, index) => {
    const booking = bookingOf(draft, index, ledger.findOwn(draft));
    return ledger.book(booking) ? [booking] : [];
  });
}

type Stream = { readonly own: OpenedAccount; readonly random: Random };

function openingOf({ own, random }: Stream, day: DemoDay): Draft {
  const habit: Habit = {
    kind: "incoming",
    when: { monthlyOn: 1 },
    amount: [own.plan.opening, own.plan.opening],
    parties: [{ name: own.holder }],
    message: "První vklad",
  };
  return {
    own,
    habit,
    amount: BigInt(own.plan.opening) * 100n,
    day,
    at: day.start + OPENING_MINUTE * MINUTE,
    random,
  };
}

function draftsOf({ own, random }: Stream, day: DemoDay): readonly Draft[] {
  return own.plan.habits.flatMap((habit) =>
    Array.from({ length: occurrencesOf(habit, day, random) }, () => ({
      own,
      habit,
      amount: drawAmount(habit, random),
      day,
      at: day.start + pickWhole(random, FIRST_MINUTE, LAST_MINUTE) * MINUTE,
      random,
    })),
  );
}

function drawAmount({ amount: [low, high], step = 1 }: Habit, random: Random): bigint {
  return BigInt(pickWhole(random, Math.ceil((low * 100) / step), Math.floor((high * 100) / step)) * step);
}

function bookingOf(draft: Draft, index: number, target: OpenedAccount | undefined): Booking {
  const { own, habit, amount, day, at, random } = draft;
  const { code, direction, against } = BOOKING_KINDS[habit.kind];
  const { id: account, currency } = own.account;
  const other = target === undefined ? pickOne(random, habit.parties ?? []) : target.party;
  const counter: Leg =
    target === undefined
      ? { account: bankAccountId(against, currency), code }
      : { account: target.account.id, code: BOOKING_KINDS.incoming.code };
  return {
    id: `T-${String(index + 1).padStart(9, "0")}`,
    bookedAt: new Date(at),
    valueDate: day.date,
    amount,
    currency,
    debit: direction === "out" ? { account, code } : counter,
    credit: direction === "out" ? counter : { account, code },
    details: detailsOf(own, habit, { other, random }),
  };
}

/** Keeps the balances of PSUs while bookings are made; the bank's own accounts have no limit. */
function openLedger(opened: readonly OpenedAccount[]) {
  const limits = new Map(
    opened.map(({ account, plan }) => [account.id, BigInt(plan.overdraft ?? 0) * -100n]),
  );
  const owns = new Map(opened.map((own) => [`${own.psu} ${own.plan.key}`, own]));
  const balances = new Map<AccountId, bigint>();
  const add = (account: AccountId, amount: bigint) =>
    balances.set(account, (balances.get(account) ?? 0n) + amount);
  return {
    findOwn: ({ own, habit }: Draft) => owns.get(`${own.psu} ${habit.ownAccount}`),
    book: ({ debit, credit, amount }: Booking): boolean => {
      const limit = limits.get(debit.account);
      if (limit !== undefined && (balances.get(debit.account) ?? 0n) - amount < limit) return false;
      add(debit.account, -amount);
      add(credit.account, amount);
      return true;
    },
  };
}
