/** Only the reading and writing of JSON, for programs that must not wait until the rest of this package is loaded. */
export * from "./http/json-object.ts";
export * from "./http/strict-json.ts";
export { writeJson } from "./http/write-json.ts";
