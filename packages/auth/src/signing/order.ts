/**
 * The order that a PSU approves, as bytes and as values. It is a flat record of texts, one for each line of the page. An order
 * with anything that the page could not show is refused, so that nothing is approved unseen (RTS Article 5(1)(a)). It has no
 * numbers, because an amount must not pass through a floating-point number.
 */
import { createHash } from "node:crypto";
import { parseStrictJson } from "@cobs/service-edge";
import { canonicalize } from "json-canonicalize";
import { findOrderFault, ORDER_MEMBERS, type OrderMember, REQUIRED_MEMBERS } from "./order-members.ts";
import { SigningRefusal } from "./signing-refusal.ts";

/** The members of an order; exactly one of `creditorIban` and `creditorNumber` is present. */
export type OrderTexts = Readonly<Partial<Record<OrderMember, string>>> &
  Readonly<Record<(typeof REQUIRED_MEMBERS)[number], string>>;

/** An order whose bytes are canonical (RFC 8785) and whose every member was read. */
export interface Order {
  /** The canonical bytes, which are UTF-8. */
  readonly text: string;
  /** SHA-256 of `text`, computed here; every element of an approval is bound to it. */
  readonly digest: Buffer;
  readonly says: OrderTexts;
}

/** Reads an order. Refuses with `order_not_canonical`, or `order_malformed` with every fault. */
export function parseOrder(text: string): Order {
  const value = readCanonical(text);
  const faults = findFaults(value);
  if (!isComplete(value) || faults.length > 0) throw new SigningRefusal("order_malformed", faults.join("; "));
  return { text, digest: createHash("sha256").update(text, "utf8").digest(), says: value };
}

/** Half a surrogate pair, which UTF-8 cannot encode. */
const HALF_A_PAIR = /[\uD800-\uDFFF]/u;

/** Limits the depth before anything is built, then compares the text with the canonical form of its value (RFC 8785 3.2). */
function readCanonical(text: string): Readonly<Record<string, unknown>> {
  const value = HALF_A_PAIR.test(text) ? undefined : parse(text);
  if (typeof value !== "object" || value === null || canonicalize(value) !== text) {
    throw new SigningRefusal("order_not_canonical", "the order is not canonical JSON (RFC 8785)");
  }
  return { ...value };
}

function parse(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}

function findFaults(value: Readonly<Record<string, unknown>>): readonly string[] {
  const faults = Object.entries(value).flatMap(([name, text]) => findOrderFault(name, text));
  const missing = REQUIRED_MEMBERS.filter((name) => value[name] === undefined);
  const accounts = [value.creditorIban, value.creditorNumber].filter((each) => each !== undefined);
  return [
    ...faults,
    ...missing.map((name) => `${name} is missing`),
    ...(accounts.length === 1 ? [] : ["exactly one of creditorIban and creditorNumber must be given"]),
    ...((value.fee === undefined) === (value.feeCurrency === undefined)
      ? []
      : ["fee and feeCurrency must be given together"]),
  ];
}

function isComplete(value: Readonly<Record<string, unknown>>): value is OrderTexts {
  const members: readonly string[] = ORDER_MEMBERS;
  return (
    REQUIRED_MEMBERS.every((name) => value[name] !== undefined) &&
    Object.entries(value).every(([name, text]) => members.includes(name) && typeof text === "string")
  );
}
