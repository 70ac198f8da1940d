import { bankDayOf, findSpan, type Span, type Transaction } from "@cobs/cobs-model";
import { UnbelievableAnswer } from "./json-members.ts";

/** An entry of a page and its time of booking; undefined for a pending one, which does not say when it was blocked. */
export interface BookedEntry {
  readonly entry: Transaction;
  readonly booked: BookingTime | undefined;
}

/** The span in which an entry was booked, an instant or the whole day if only the day is given, and its bank-local day. */
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
