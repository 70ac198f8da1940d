/** A JSON object; what it holds is unknown still. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value that was read from JSON is an object; a list is none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
