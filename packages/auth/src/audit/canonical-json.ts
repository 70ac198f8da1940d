/** What has one canonical form here: records whose values are plain, or lists of texts. */
export type FlatRecord = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

function presentValue(value: FlatRecord[string]): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("a number is not finite");
  return JSON.stringify(value);
}

/**
 * The canonical text of a record, that of RFC 8785 for such records: no spaces, names in the order of their UTF-16 code
 * units (3.2.3), numbers and texts as ECMAScript writes them (3.2.2). Texts must be well-formed.
 */
export function presentCanonical(record: FlatRecord): string {
  const members = Object.entries(record)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${presentValue(value)}`);
  return `{${members.join()}}`;
}
