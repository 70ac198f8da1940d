/**
 * Reading configuration, telling of a wrong command line and letting go of a lost terminal or reader alone, for programs that
 * must not wait until everything else of this package is loaded.
 */
export * from "./configuration/database-url.ts";
export * from "./configuration/key-files.ts";
export * from "./configuration/read-configuration.ts";
export * from "./configuration/require-clear-options.ts";
export * from "./configuration/secret.ts";
export * from "./configuration/variable.ts";
export * from "./configuration/wrong-usage.ts";
export * from "./database/database-place.ts";
export { endWithReader } from "./lifecycle/end-with-reader.ts";
export { leaveLostTerminal } from "./lifecycle/leave-lost-terminal.ts";
