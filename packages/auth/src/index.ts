/**
 * The authorization server: its configuration and its start. Nothing that serves a call is exported. What a sandbox
 * needs to prepare the database is in `@cobs/auth/sandbox`.
 */
export { type AuthConfiguration, configure } from "./config.ts";
export { AUTH_VARIABLES } from "./env.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
export { type AuthPorts, startAuth } from "./service.ts";
