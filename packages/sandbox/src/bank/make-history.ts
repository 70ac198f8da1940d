import type { Booking, PendingItem } from "@cobs/resource";
import { bookingsOf, pendingOf } from "./bookings-of.ts";
import { daysBefore } from "./demo-days.ts";
import { openDemoLedger } from "./demo-ledger.ts";
import { type Draft, draftsOf, openingOf, pendingDraftsOf, type Stream } from "./make-drafts.ts";
import type { OpenedLedger } from "./open-accounts.ts";
import { openRandom } from "./random.ts";

/** The bookings of accounts, and what is blocked or announced at the end. */
export type DemoHistory = { readonly bookings: readonly Booking[]; readonly pending: readonly PendingItem[] };

/** Makes two years up to the last midnight before `asOf`, in order of time; no account goes below its limit. */
export function makeHistory(opened: readonly OpenedLedger[], seed: string, asOf: Date): DemoHistory {
  const all = daysBefore(asOf);
  // Start on a business day, because the first deposits come from other banks.
  const days = all.slice(all.findIndex(({ isClosed }) => !isClosed));
  const streamsOf = (what: string): readonly Stream[] =>
    opened.map((own) => ({ own, random: openRandom(`${seed}/${what}/${own.ledger}`) }));
  const streams = streamsOf("bookings");
  const teller = openTeller(opened);
  for (const [index, day] of days.entries()) {
    if (index === 0) for (const stream of streams) teller.book(openingOf(stream, day));
    const drafts = streams.flatMap((stream) => draftsOf(stream, day));
    for (const draft of drafts.sort((one, other) => one.at - other.at)) teller.book(draft);
  }
  const last = days.at(-1);
  if (last !== undefined)
    for (const stream of streamsOf("pending")) teller.announce(pendingDraftsOf(stream, last));
  return teller.history();
}

/** Turns drafts into bookings, if they are covered. */
function openTeller(opened: readonly OpenedLedger[]) {
  const ledger = openDemoLedger(opened);
  const owns = new Map(opened.map((own) => [`${own.psu} ${own.key} ${own.currency}`, own]));
  const booked = new Map<Draft, Booking>();
  const bookings: Booking[] = [];
  const pending: PendingItem[] = [];
  const nextId = (place: number) => `T-${String(bookings.length + place + 1).padStart(9, "0")}`;
  return {
    book: (draft: Draft): void => {
      const made = bookingsOf(draft, { owns, booked }).map((each, place) => ({ ...each, id: nextId(place) }));
      if (!ledger.book(made)) return;
      bookings.push(...made);
      if (made[0] !== undefined && draft.habit.undone !== undefined) booked.set(draft, made[0]);
    },
    announce: (drafts: readonly Draft[]): void => {
      const items = drafts.map((draft, place) => ({ ...pendingOf(draft), id: pendingId(draft, place) }));
      const [first] = items;
      const sum = items.reduce((total, { amount }) => total + amount, 0n);
      if (first !== undefined && ledger.covers(first.account, -sum)) pending.push(...items);
    },
    history: (): DemoHistory => ({ bookings, pending }),
  };
}

/** Unique within a ledger account. */
function pendingId({ own }: Draft, place: number): string {
  return `P-${own.ledger.slice(0, 8)}-${place + 1}`;
}
