/**
 * The authorization server. Beside starting it, the package gives what a sandbox needs to prepare its demo bank;
 * nothing of the inside of a call is exported.
 */
export { lengthenAccessTokens } from "./applications/lengthen-access-tokens-postgres.ts";
export { type AuthConfiguration, configure } from "./config.ts";
export { AUTH_VARIABLES } from "./env.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
export { readSealingKey } from "./psu/sealing.ts";
export { type SandboxPsu, seedSandboxDirectory } from "./psu/seed-sandbox-directory-postgres.ts";
export { type AuthPorts, startAuth } from "./service.ts";
