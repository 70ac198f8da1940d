/**
 * Orders and queries of operators through the bank listener. This folder owns how they are read and how results are presented. It
 * does not own what an order does (`tpp`, `consent`, `psu-block` and others), statuses (`http/operator`), or the command at the
 * terminal (`operator`).
 */
import { isJsonObject } from "@cobs/service-edge";
import { OperatorRefusal } from "./operator-refusal.ts";
import type { ParameterKind } from "./parse-query.ts";

/** Reads one member of a body; undefined when it is missing or faulty. A fault is noted. */
export type ReadMember = <Value>(name: string, kind: ParameterKind<Value>) => Value | undefined;

/** Reads the members of a body, and notes other faults of it. */
export interface OrderReader {
  readonly optional: ReadMember;
  /** Reads a member; notes a fault also when it is missing. */
  readonly required: ReadMember;
  /** Notes a fault unless exactly one of these members is given, valid or not. */
  readonly requireOne: (names: readonly string[]) => void;
}

function membersOf(body: unknown): ReadonlyMap<string, unknown> {
  if (!isJsonObject(body)) throw new OperatorRefusal("order_malformed", "the body must be an object");
  return new Map<string, unknown>(Object.entries(body));
}

function readerOf(members: ReadonlyMap<string, unknown>, fault: (words: string) => void): OrderReader {
  const read: ReadMember = (name, kind) => {
    const member = members.get(name);
    const value = typeof member === "string" ? kind.read(member) : undefined;
    if (value === undefined) fault(`${name} must be ${kind.must}`);
    return value;
  };
  return {
    required: read,
    optional: (name, kind) => (members.has(name) ? read(name, kind) : undefined),
    requireOne: (names) => {
      const given = names.filter((name) => members.has(name));
      if (given.length !== 1) fault(`exactly one of ${names.join(", ")} must be given`);
    },
  };
}

/**
 * Reads the body of an order, whose members must be strings and among `names`. `build` returns undefined when a member that it
 * needs is missing. Refuses with `order_malformed` and all faults.
 */
export function parseOperatorOrder<Order>(
  body: unknown,
  names: readonly string[],
  build: (read: OrderReader) => Order | undefined,
): Order {
  const members = membersOf(body);
  const faults = [...members.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => `${name.slice(0, 50)} is not a known member`);
  const order = build(readerOf(members, (words) => void faults.push(words)));
  if (faults.length > 0 || order === undefined)
    throw new OperatorRefusal("order_malformed", faults.join("; "));
  return order;
}
