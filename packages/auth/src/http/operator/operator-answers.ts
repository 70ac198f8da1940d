import type { Answer, IncomingCall } from "@cobs/service-edge";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import type { Page, ParameterKind } from "../../operator-api/parse-query.ts";

/** Answers a page of a list: the rows under the given name, and the key of the next page or null. */
export function listed<Row, Key>(
  name: string,
  { rows, next }: Page<Row, Key>,
  present: (row: Row) => unknown,
): Answer {
  return { status: 200, json: { [name]: rows.map(present), next: next ?? null } };
}

/** Reads a parameter of the path. Refuses with `order_malformed`. */
export function named<Value>(
  { parameters }: Pick<IncomingCall, "parameters">,
  name: string,
  kind: ParameterKind<Value>,
): Value {
  const value = kind.read(parameters[name] ?? "");
  if (value === undefined) throw new OperatorRefusal("order_malformed", `${name} must be ${kind.must}`);
  return value;
}

/** Narrows a look-up. Refuses with `unknown`. */
export function requireFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new OperatorRefusal("unknown", "nothing has this id");
  return found;
}

/** Narrows a page. Refuses with `order_malformed` when `after` names nothing. */
export function requireKnownKey<Rows>(rows: Rows | undefined): Rows {
  if (rows === undefined)
    throw new OperatorRefusal("order_malformed", "after must be the `next` of the previous answer");
  return rows;
}

/** The defined members of a filter, for the record of a read. */
export function given<Filter extends { readonly [Name in keyof Filter]: string | undefined }>(
  filter: Filter,
): Readonly<Record<string, string>> {
  const members = Object.entries<string | undefined>(filter);
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
