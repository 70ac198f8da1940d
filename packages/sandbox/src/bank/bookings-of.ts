import type { TransactionDetails } from "@cobs/cobs-model";
import type { Booking, Leg, PendingItem } from "@cobs/resource";
import { BOOKING_KINDS, type BookingKind, cancelledText } from "./booking-kinds.ts";
import { businessDayAfter } from "./demo-days.ts";
import type { DemoParty } from "./demo-party.ts";
import { exchange } from "./exchange-rates.ts";
import type { Draft } from "./make-drafts.ts";
import { bankAccountId, type OpenedLedger } from "./open-accounts.ts";
import { pickOne } from "./random.ts";
import { detailsOf } from "./transaction-details.ts";

/** What drafts refer to: the accounts of PSUs by `psu key currency`, and bookings that may be taken back. */
export type Known = {
  readonly owns: ReadonlyMap<string, OpenedLedger>;
  readonly booked: ReadonlyMap<Draft, Booking>;
};

/** A booking before its funds are checked. */
export type Unnumbered = Omit<Booking, "id">;

/** The bookings of a draft, which belong together; none if the account or booking that it refers to is missing. */
export function bookingsOf(draft: Draft, { owns, booked }: Known): readonly Unnumbered[] {
  if (draft.undoes !== undefined) return undoingOf(draft, booked.get(draft.undoes.draft));
  const { own, habit } = draft;
  const target = owns.get(`${own.psu} ${habit.ownAccount} ${own.currency}`);
  if (habit.exchangedTo === undefined) return [bookingOf(draft, target)];
  const bought = owns.get(`${own.psu} ${own.key} ${habit.exchangedTo}`);
  return bought === undefined ? [] : exchangeOf(draft, bought);
}

function bookingOf(draft: Draft, target: OpenedLedger | undefined): Unnumbered {
  const { own, habit } = draft;
  const kind = BOOKING_KINDS[habit.kind];
  const { amount, details } = detailedOf(draft, kind, target?.party);
  const leg: Leg = { account: own.ledger, code: kind.code };
  const counter: Leg =
    target === undefined
      ? { account: bankAccountId(kind.against, own.currency), code: kind.code }
      : incomingAt(target, details);
  return { ...movedOf(draft), amount, ...legsOf(kind, leg, counter), details };
}

/** The leg of a payee in this bank, who receives the same payment. */
function incomingAt({ ledger }: OpenedLedger, details: Unnumbered["details"]): Leg {
  const { code, text } = BOOKING_KINDS.incoming;
  return { account: ledger, code, details: { ...details, additionalTransactionInformation: text } };
}

/** Makes two bookings, one in each currency: the bank buys one and sells the other. */
function exchangeOf(draft: Draft, bought: OpenedLedger): readonly Unnumbered[] {
  const { exchangeOut, exchangeIn } = BOOKING_KINDS;
  const { amount, exchanged, details } = detailedOf(draft, exchangeOut, undefined);
  const sideOf = ({ ledger, currency }: OpenedLedger, kind: BookingKind) => {
    const { code } = kind;
    return legsOf(kind, { account: ledger, code }, { account: bankAccountId(kind.against, currency), code });
  };
  const moved = movedOf(draft);
  return [
    { ...moved, details, amount, ...sideOf(draft.own, exchangeOut) },
    {
      ...moved,
      details: asOrdered(details),
      amount: exchanged?.ordered ?? 0n,
      currency: bought.currency,
      ...sideOf(bought, exchangeIn),
    },
  ];
}

/** Drops the counter value when the ordered currency is that of the account: nothing was converted (COBS 3.1.5.1). */
function asOrdered(details: TransactionDetails): TransactionDetails {
  const instructedAmount = details.amountDetails?.instructedAmount;
  return { ...details, ...(instructedAmount && { amountDetails: { instructedAmount } }) };
}

/** Reverses an earlier booking, with another kind or as a cancellation by the bank. */
function undoingOf(draft: Draft, original: Unnumbered | undefined): readonly Unnumbered[] {
  if (original === undefined) return [];
  const by = draft.undoes?.by;
  const kind = by === undefined ? undefined : BOOKING_KINDS[by];
  const codeOf = ({ account, code }: Leg): Leg => ({ account, code: kind?.code ?? code });
  const additionalTransactionInformation =
    kind === undefined ? cancelledText(BOOKING_KINDS[draft.habit.kind].text) : kind.text;
  return [
    {
      ...original,
      ...movedOf(draft),
      debit: codeOf(original.credit),
      credit: codeOf(original.debit),
      isReversal: kind === undefined,
      details: { ...original.details, additionalTransactionInformation },
    },
  ];
}

/** Turns a draft into money that is blocked, or announced for the next business day. */
export function pendingOf(draft: Draft): Omit<PendingItem, "id"> {
  const { own, habit, day } = draft;
  const kind = BOOKING_KINDS[habit.kind];
  const { amount, details } = detailedOf(draft, kind, undefined);
  return {
    account: own.ledger,
    blockedAt: new Date(draft.at),
    valueDate: businessDayAfter(day, 2),
    amount: kind.direction === "out" ? -amount : amount,
    currency: own.currency,
    code: kind.code,
    details,
  };
}

/** The amount of a draft, which an exchange may round, and its details. */
function detailedOf(draft: Draft, kind: BookingKind, target: DemoParty | undefined) {
  const { own, habit, random, at } = draft;
  const other = target ?? pickOne(random, habit.parties ?? []);
  const to = habit.ordered ?? habit.exchangedTo;
  const exchanged = to && exchange(draft.amount, { from: own.plan.currency, to, at });
  const amount = exchanged?.amount ?? draft.amount;
  return { amount, exchanged, details: detailsOf({ own, habit, kind, other, exchanged, random }) };
}

function movedOf({ own, day, at }: Draft) {
  return { bookedAt: new Date(at), valueDate: day.date, currency: own.currency };
}

function legsOf({ direction }: BookingKind, own: Leg, counter: Leg) {
  return direction === "out" ? { debit: own, credit: counter } : { debit: counter, credit: own };
}
