export type { AccountListRequest, Bank } from "./bank/bank.ts";
export type {
  Booking,
  BookingDetails,
  LedgerAccount,
  Leg,
  Party,
  SandboxBankContent,
} from "./bank/sandbox-bank-content.ts";
export { openSandboxBank } from "./bank/sandbox-bank-postgres.ts";
export { seedSandboxBank } from "./bank/seed-sandbox-bank-postgres.ts";
