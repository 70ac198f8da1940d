import type { PageRequest } from "./page.ts";
import type { Fault } from "./refusal.ts";

/** One key of a sort order; the first is the most significant. */
export type Sort<Field extends string> = { readonly field: Field; readonly direction: "asc" | "desc" };

/** Most entries on one page, and the number when no `size` is given (COBS PDF 1.2.8.4 leaves the cap to the bank). */
export const MAX_PAGE_SIZE = 100;

/** A page past the end of any list, whose offset still fits into 64 bits; larger page numbers are replaced by it. */
const PAST_ALL_PAGES = 999_999_999_999_999;

/**
 * Reads `page` and `size` (COBS PDF 1.2.8.4), adding a fault for each that is not written as a whole number in its range; the
 * number of digits does not matter.
 */
export function readPageRequest(query: URLSearchParams, faults: Fault[]): PageRequest {
  const page = readOnce(query, "page", faults) ?? "0";
  const size = readOnce(query, "size", faults) ?? String(MAX_PAGE_SIZE);
  if (!/^(?:0|[1-9]\d*)$/.test(page)) {
    faults.push(invalid("page", "must be a whole number from 0, without leading zeros"));
  }
  if (!/^[1-9]\d*$/.test(size)) {
    faults.push(invalid("size", "must be a positive whole number, without leading zeros"));
  }
  return {
    page: Math.min(Number(page), PAST_ALL_PAGES),
    size: Math.min(Number(size), MAX_PAGE_SIZE),
  };
}

/** Reads `sort` and `order` (COBS PDF 1.2.8.2, A-08), adding a fault for each that does not fit the fields. */
export function readSort<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
  faults: Fault[],
): readonly Sort<Field>[] {
  const sort = readOnce(query, "sort", faults);
  const order = readOnce(query, "order", faults);
  const keys = sort === undefined ? [] : readFields(sort, fields, faults);
  const directions = order === undefined ? [] : readDirections(order, faults);
  const count = sort === undefined ? 0 : sort.split(",").length;
  if (directions.length > count) faults.push(invalid("order", "has more entries than sort"));
  return keys.map((field, position) => ({ field, direction: directions[position] ?? "asc" }));
}

function readFields<Field extends string>(text: string, fields: readonly Field[], faults: Fault[]): Field[] {
  const wanted = text.split(",");
  const known = fields.filter((field) => wanted.includes(field));
  const ordered = known.sort((one, other) => wanted.indexOf(one) - wanted.indexOf(other));
  // Fewer known fields than names means that one is unknown, empty or repeated.
  if (ordered.length < wanted.length) {
    faults.push(invalid("sort", `may only contain ${fields.join(", ")}, each at most once`));
  }
  return ordered;
}

function readDirections(text: string, faults: Fault[]): readonly ("asc" | "desc")[] {
  const names = text.toLowerCase().split(",");
  if (names.some((name) => name !== "" && name !== "asc" && name !== "desc")) {
    faults.push(invalid("order", "may only contain asc and desc"));
  }
  return names.map((name) => (name === "desc" ? "desc" : "asc"));
}

/** Reads a parameter, adding a fault when it is repeated, because two readers of one request must not differ. */
export function readOnce(query: URLSearchParams, name: string, faults: Fault[]): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) faults.push(invalid(name, "is given more than once"));
  return values[0];
}

/** Makes the fault of a parameter in the wrong form (COBS 1.2.10). */
export function invalid(name: string, what: string): Fault {
  return { code: "PARAMETER_INVALID", path: name, message: `${name} ${what}` };
}
