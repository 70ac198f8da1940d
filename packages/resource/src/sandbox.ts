/**
 * What a sandbox needs to prepare this server's database, and to serve its bank as a core system. It is a separate entry
 * point, so that preparing does not load the server. Nothing here runs in production.
 */
export type { AccountOfPsu, Bank } from "./bank/bank.ts";
export { BankRefusal, type BankRefusalCode } from "./bank/bank-refusal.ts";
export { copyText } from "./bank/copy-rows-postgres.ts";
export { UnbelievableAnswer } from "./bank/http-connector/json-members.ts";
export { readCoreAmount, readCoreOrder } from "./bank/http-connector/order-json.ts";
export type {
  FundsAnswer,
  FundsQuestion,
  OrderBank,
  OrderInspection,
  OrderOutcome,
  OrderProgress,
  OrderToExecute,
  OrderToInspect,
} from "./bank/orders.ts";
export { openSandboxBank } from "./bank/sandbox-bank-postgres.ts";
export { startSettlingOrders } from "./bank/sandbox-orders/start-settling-orders.ts";
export {
  type SandboxHistory,
  type Standing,
  seedSandboxBank,
  seedSandboxHistory,
} from "./bank/seed-sandbox-bank-postgres.ts";
export { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
