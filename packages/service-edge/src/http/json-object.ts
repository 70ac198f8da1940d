/** A JSON object whose members are not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value read from JSON is an object, and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
