import { bankDayOf, findSpan, type Span, type Transaction } from "@cobs/cobs-model";
import { UnbelievableAnswer } from "./json-members.ts";

/** An entry of a page, and when it was booked; undefined for a pending one, which does not tell when it was blocked. */
export interface BookedEntry {
  readonly entry: Transaction;
  readonly booked: BookingTime | undefined;
}

/** The instants at which it may have been booked: one, or all of the day where it tells no more; and the bank-local day. */
export interface BookingTime {
  readonly span: Span;
  readonly day: string;
}

/** Reads when an entry was booked; throws `UnbelievableAnswer`. */
export function readBooking(entry: Transaction): BookedEntry {
  if (entry.status === "PDNG") return { entry, booked: undefined };
  const span = findSpan(entry.bookingDate);
  if (span === undefined) throw new UnbelievableAnswer("a bookingDate is not a date");
  const isDay = entry.bookingDate.length === DAY_LENGTH;
  return { entry, booked: { span, day: isDay ? entry.bookingDate : bankDayOf(span.from) } };
}

const DAY_LENGTH = "YYYY-MM-DD".length;
