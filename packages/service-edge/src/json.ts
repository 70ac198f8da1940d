/** Reading and writing JSON alone, for programs that must not wait until everything else of this package is loaded. */
export * from "./http/json-object.ts";
export * from "./http/strict-json.ts";
export { writeJson } from "./http/write-json.ts";
