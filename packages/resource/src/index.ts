/**
 * The resource server: how it is configured and started. Nothing of the inside of a call is exported; what a sandbox
 * fills its database with is in `@cobs/resource/sandbox`.
 */
export type {
  Booking,
  FurtherLedger,
  LedgerAccount,
  Leg,
  PendingItem,
  SandboxBankContent,
} from "./bank/sandbox-bank-content.ts";
export { configure, type ResourceConfiguration } from "./config.ts";
export { RESOURCE_VARIABLES } from "./env.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
export { type ResourcePorts, startResource } from "./service.ts";
