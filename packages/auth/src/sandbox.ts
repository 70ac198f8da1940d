/**
 * What a sandbox needs to prepare this server's database. A separate entry, so that preparing does not load the server.
 * Nothing here runs in production.
 */
export { lengthenAccessTokens } from "./applications/lengthen-access-tokens-postgres.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
export {
  type SandboxNewcomer,
  type SandboxPsu,
  seedSandboxDirectory,
} from "./psu/sandbox/seed-sandbox-directory-postgres.ts";
export { readSealingKey } from "./sealing/sealing.ts";
