import type { ServiceParts } from "@cobs/service-edge";
import type { OrderBank } from "../bank/orders.ts";
import type { PaymentStore } from "../payments/payment-store.ts";
import { createExecutionMetrics } from "./execution-metrics.ts";
import { startExecutingPayments } from "./start-executing-payments.ts";

/** Has a process execute approved payments until its lifecycle stops it, with figures of what becomes of them. */
export function openExecution(
  parts: Pick<ServiceParts, "clock" | "log" | "metrics" | "database" | "lifecycle">,
  { store, bank }: { readonly store: PaymentStore; readonly bank: OrderBank },
): void {
  const { clock, log, database, lifecycle } = parts;
  const metrics = createExecutionMetrics(parts.metrics, database);
  const executing = startExecutingPayments({ store, bank, clock, log, metrics });
  lifecycle.onStop("payments under way to the bank", () => executing.stop());
}
