import { type FormFields, singleField } from "./form-fields.ts";

/**
 * The faults that the page of a posted form showed, out of those that it can show. The form only names them, and nothing else
 * that it says is shown.
 */
export function readShownFaults<Fault extends { readonly key: string }>(
  fields: FormFields,
  possible: readonly Fault[],
): readonly Fault[] {
  const named = singleField(fields, "faults").split(" ");
  return possible.filter(({ key }) => named.includes(key));
}
