/**
 * What an operator orders and looks up through the bank listener. This folder owns how orders and questions are read, and how
 * what is found is shown; it does not own what an order does (`tpp`, `consent`, `psu-block` and the others), nor
 * statuses (`http/operator`), nor the command at the terminal (`operator`).
 */
import { isJsonObject } from "@cobs/service-edge";
import { OperatorRefusal } from "./operator-refusal.ts";
import type { ParameterKind } from "./parse-query.ts";

/** Reads one member of a body; undefined when it is absent or at fault, which is noted. */
export type ReadMember = <Value>(name: string, kind: ParameterKind<Value>) => Value | undefined;

/** Reads the members of a body, and notes what else is wrong with it. */
export interface OrderReader {
  readonly optional: ReadMember;
  /** Notes a member that is absent, too. */
  readonly required: ReadMember;
  /** Notes it unless one of these members is given, right or wrong, and no other one of them. */
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
 * Reads the body of an order: its members are texts, and of the `names` alone. `build` gives undefined when something that
 * it needs is not there. Refuses with `order_malformed` and all faults.
 */
export function parseOperatorOrder<Order>(
  body: unknown,
  names: readonly string[],
  build: (read: OrderReader) => Order | undefined,
): Order {
  const members = membersOf(body);
  const faults = [...members.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => `${name.slice(0, 50)} is not known`);
  const order = build(readerOf(members, (words) => void faults.push(words)));
  if (faults.length > 0 || order === undefined)
    throw new OperatorRefusal("order_malformed", faults.join("; "));
  return order;
}
