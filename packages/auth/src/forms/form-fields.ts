import { isJsonObject } from "@cobs/service-edge";
import { FormRefusal } from "./form-refusal.ts";

/** The fields of a posted form, each with all of its values. */
export type FormFields = Readonly<Record<string, readonly string[]>>;

/** Takes the body of a form route as fields; throws for anything else, which means that our list of routes is wrong. */
export function readFormFields(body: unknown): FormFields {
  if (!isFields(body)) throw new TypeError("the route does not read a form");
  return body;
}

/** The one value of a field; empty when the field is missing. Refuses with `form_malformed` when it came more than once. */
export function singleField(fields: FormFields, name: string): string {
  const values = fields[name] ?? [];
  if (values.length > 1) throw new FormRefusal("form_malformed", `${name} was sent more than once`);
  return values[0] ?? "";
}

/** Refuses with `form_malformed` when any field came more than once; for forms of ours in which no field may. */
export function requireSingleFields(fields: FormFields): void {
  for (const name of Object.keys(fields)) singleField(fields, name);
}

function isFields(body: unknown): body is FormFields {
  return isJsonObject(body) && Object.values(body).every(Array.isArray);
}
