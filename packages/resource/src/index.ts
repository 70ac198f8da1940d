/**
 * The resource server: how to configure and start it. Nothing from inside a call is exported; the content with which a
 * sandbox fills its database is in `@cobs/resource/sandbox`.
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
