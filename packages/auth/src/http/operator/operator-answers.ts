import type { Answer, IncomingCall } from "@cobs/service-edge";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import type { Page, ParameterKind } from "../../operator-api/parse-query.ts";

/** A page of a list: the rows under the name of what they are, and the key of the next page or null. */
export function listed<Row, Key>(
  name: string,
  { rows, next }: Page<Row, Key>,
  present: (row: Row) => unknown,
): Answer {
  return { status: 200, json: { [name]: rows.map(present), next: next ?? null } };
}

/** The one thing that a path names. Refuses with `order_malformed`. */
export function named<Value>(
  { parameters }: Pick<IncomingCall, "parameters">,
  name: string,
  kind: ParameterKind<Value>,
): Value {
  const value = kind.read(parameters[name] ?? "");
  if (value === undefined) throw new OperatorRefusal("order_malformed", `${name} must be ${kind.must}`);
  return value;
}

/** Narrows what was looked for. Refuses with `unknown`. */
export function requireFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new OperatorRefusal("unknown", "there never was one under this id");
  return found;
}

/** Narrows a page. Refuses with `order_malformed` when `after` names nothing. */
export function requireKnownKey<Rows>(rows: Rows | undefined): Rows {
  if (rows === undefined) throw new OperatorRefusal("order_malformed", "after must be what `next` was");
  return rows;
}

/** What was asked for, for the record of who looked. */
export function given<Filter extends { readonly [Name in keyof Filter]: string | undefined }>(
  filter: Filter,
): Readonly<Record<string, string>> {
  const members = Object.entries<string | undefined>(filter);
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
