/**
 * Only the reading of configuration, the reporting of a wrong command line and the handling of a lost terminal or reader, for
 * programs that must not wait until the rest of this package is loaded.
 */
export * from "./configuration/database-url.ts";
export * from "./configuration/key-files.ts";
export * from "./configuration/present-variables.ts";
export * from "./configuration/read-configuration.ts";
export * from "./configuration/require-clear-options.ts";
export * from "./configuration/secret.ts";
export * from "./configuration/variable.ts";
export * from "./configuration/wrong-usage.ts";
export * from "./database/database-place.ts";
export { endWithReader } from "./lifecycle/end-with-reader.ts";
export { leaveLostTerminal } from "./lifecycle/leave-lost-terminal.ts";
