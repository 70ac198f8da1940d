/**
 * The resource server. Beside starting it, the package gives what a sandbox needs to fill its demo bank; nothing of
 * the inside of a call is exported.
 */
export type {
  Booking,
  BookingDetails,
  LedgerAccount,
  Leg,
  Party,
  SandboxBankContent,
} from "./bank/sandbox-bank-content.ts";
export { seedSandboxBank } from "./bank/seed-sandbox-bank-postgres.ts";
export { configure, type ResourceConfiguration } from "./config.ts";
export { RESOURCE_VARIABLES } from "./env.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
export { type ResourcePorts, startResource } from "./service.ts";
