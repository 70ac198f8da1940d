/**
 * What a sandbox needs to prepare this server's database. It is an entry of its own, so that preparing does not load
 * the server. Nothing here runs in production.
 */
export { seedSandboxBank } from "./bank/seed-sandbox-bank-postgres.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
