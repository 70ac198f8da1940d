import type { Sort, TransactionSortField } from "@cobs/cobs-model";
import type { BookedEntry } from "./booked-entry.ts";
import { UnbelievableAnswer } from "./json-members.ts";

type Keys = readonly Sort<TransactionSortField>[];
type Direction = Keys[number]["direction"];

/**
 * Requires that a page in one currency is in the order asked for (clause 5.5), or newest first (5.4); throws
 * `UnbelievableAnswer`. Equal entries may be in any order. So may what the contract leaves open: pending entries among days of
 * booking, entries without a reference, and letters, whose order depends on the alphabet.
 */
export function requireSorted(entries: readonly BookedEntry[], sort: Keys): void {
  const [first, ...others] = sort;
  if (first === undefined) requireNewestFirst(entries);
  else if (first.field === "bookingDate" && others.length === 0)
    refuseAt(findUnbooked(entries, first.direction), ASKED_FOR);
  else refuseAt(findUnsorted(entries, sort, first.field), ASKED_FOR);
}

/** What is wrong with the order, and the clause that it breaks. */
type Disorder = { readonly what: string; readonly clause: string };

const ASKED_FOR: Disorder = { what: "is not in the order that was asked for", clause: "5.5" };
const BEHIND_BOOKED: Disorder = { what: "is pending, but comes after a booked one", clause: "5.4" };
const NOT_NEWEST: Disorder = { what: "is not in order, newest first", clause: "5.4" };

function refuseAt(place: number | undefined, { what, clause }: Disorder): void {
  if (place !== undefined) throw new UnbelievableAnswer(`transactions[${place}] ${what}`, { clause });
}

function requireNewestFirst(entries: readonly BookedEntry[]): void {
  const first = entries.findIndex(({ booked }) => booked !== undefined);
  const pending = entries.findLastIndex(({ booked }) => booked === undefined);
  if (first !== -1 && first < pending) refuseAt(pending, BEHIND_BOOKED);
  refuseAt(findUnbooked(entries, "desc"), NOT_NEWEST);
}

/**
 * Place of an entry that cannot have been booked where it stands. An entry with a day only may have been booked at any instant
 * of it; in the order of booking, none may end before an earlier one has begun.
 */
function findUnbooked(entries: readonly BookedEntry[], direction: Direction): number | undefined {
  const places = [...entries.keys()];
  let begun = Number.NEGATIVE_INFINITY;
  for (const place of direction === "asc" ? places : places.reverse()) {
    const span = entries[place]?.booked?.span;
    if (span === undefined) continue;
    if (span.before.getTime() <= begun) return place;
    begun = Math.max(begun, span.from.getTime());
  }
  return undefined;
}

/** Place of an entry that does not follow the one before it, among those that have the first sort field. */
function findUnsorted(
  entries: readonly BookedEntry[],
  keys: Keys,
  first: TransactionSortField,
): number | undefined {
  let before: BookedEntry | undefined;
  for (const [place, entry] of entries.entries()) {
    if (keyOf(entry, first) === null) continue;
    if (before !== undefined && !mayFollow(before, entry, keys)) return place;
    before = entry;
  }
  return undefined;
}

function mayFollow(before: BookedEntry, entry: BookedEntry, keys: Keys): boolean {
  for (const { field, direction } of keys) {
    const difference = compare(keyOf(before, field), keyOf(entry, field));
    if (difference === undefined) return true;
    if (difference !== 0) return direction === "asc" ? difference < 0 : difference > 0;
  }
  return true;
}

type Key = string | bigint | null;

/** The value that a sort compares, as `core-contract/openapi.json` says; null if the entry does not have it. */
function keyOf({ entry, booked }: BookedEntry, field: TransactionSortField): Key {
  switch (field) {
    case "bookingDate":
      return booked?.day ?? null;
    case "valueDate":
      return entry.valueDate;
    case "amount":
      return entry.amount.minor;
    case "entryReference":
      return entry.entryReference;
  }
}

/** Negative, zero or positive; undefined where the contract leaves it open. */
function compare(one: Key, other: Key): number | undefined {
  if (one === other) return 0;
  if (typeof one === "bigint" && typeof other === "bigint") return one < other ? -1 : 1;
  return typeof one === "string" && typeof other === "string" ? compareTexts(one, other) : undefined;
}

/** Compares texts only where both first differ in a digit: systems sort letters and signs differently. */
function compareTexts(one: string, other: string): number | undefined {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const [digit, otherDigit] = [one[at] ?? "", other[at] ?? ""];
  return /^\d\d$/.test(digit + otherDigit) ? Number(digit) - Number(otherDigit) : undefined;
}
