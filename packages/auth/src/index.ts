/**
 * The authorization server: how it is configured and started. Nothing of the inside of a call is exported; what a
 * sandbox prepares its database with is in `@cobs/auth/sandbox`.
 */
export { type AuthConfiguration, configure } from "./config.ts";
export { AUTH_VARIABLES } from "./env.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
export { type AuthPorts, startAuth } from "./service.ts";
