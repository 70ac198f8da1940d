/** Members that a schema allows, and which of them a value has. */
import type { Schema } from "@cobs/cobs-model/openapi";
import { lookUp } from "./interface-document.ts";

/** A schema and its name: its component, and the path from there. */
interface Named {
  readonly name: string;
  readonly schema: Schema;
}

function follow({ name, schema }: Named): Named {
  if (schema.$ref === undefined) return { name, schema };
  return { name: schema.$ref.split("/").at(-1) ?? "", schema: Object(lookUp(schema.$ref)) };
}

const valuesOf = ({ name, schema }: Named) => (schema.enum ?? []).map((value) => `${name}=${value}`);

/** Every possible member and enumerated value: `Component.member`, `Component.member=value`. */
export function describedBy(given: Named, seen: Set<string> = new Set()): ReadonlySet<string> {
  const here = follow(given);
  for (const value of valuesOf(here)) seen.add(value);
  if (here.schema.items !== undefined) describedBy({ name: here.name, schema: here.schema.items }, seen);
  for (const [member, schema] of Object.entries(here.schema.properties ?? {})) {
    const name = `${here.name}.${member}`;
    if (seen.has(name)) continue;
    seen.add(name);
    describedBy({ name, schema }, seen);
  }
  return seen;
}

/** Collects in `seen` the members and enumerated values that a value has. */
export function shownBy(given: Named, value: unknown, seen: Set<string>): void {
  const here = follow(given);
  if (valuesOf(here).includes(`${here.name}=${value}`)) seen.add(`${here.name}=${value}`);
  const { items, properties = {} } = here.schema;
  if (items !== undefined && Array.isArray(value))
    for (const each of value) shownBy({ name: here.name, schema: items }, each, seen);
  else if (typeof value === "object" && value !== null)
    for (const [member, inside] of Object.entries(value)) {
      const schema = properties[member];
      const name = `${here.name}.${member}`;
      if (schema === undefined) continue;
      seen.add(name);
      shownBy({ name, schema }, inside, seen);
    }
}
