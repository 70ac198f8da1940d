import type { Repeated, ServiceParts } from "@cobs/service-edge";
import type { OpenedBank } from "../bank/open-bank.ts";
import type { PaymentStore } from "../payments/payment-store.ts";
import { createExecutionMetrics } from "./execution-metrics.ts";
import { leaseFor } from "./execution-times.ts";
import { createLateNaming } from "./late-naming.ts";
import { createRejectionLooks } from "./rejection-looks.ts";
import { startExecutingPayments } from "./start-executing-payments.ts";
import { startRestoringPlaces } from "./start-restoring-places.ts";

/** The payments to execute, and the bank that executes them. */
export interface ExecutedPayments {
  readonly store: PaymentStore;
  readonly bank: Pick<OpenedBank, "orders" | "instantOrders">;
  /** Milliseconds within which the bank answers, or is given up. */
  readonly answerMilliseconds: number;
}

/** How long stopping waits for the bank: a process must end within a few seconds, and a bank may take longer. */
const STOP_MILLISECONDS = 3_000;

/** Executes approved payments in this process until it is stopped, and registers the metrics. */
export function openExecution(
  parts: Pick<ServiceParts, "clock" | "log" | "metrics" | "database" | "countJob">,
  { store, bank, answerMilliseconds }: ExecutedPayments,
): Repeated {
  const { clock, log, database, countJob } = parts;
  const metrics = createExecutionMetrics(parts.metrics, database);
  const shared = { store, clock, log, metrics, countJob };
  const executing = startExecutingPayments({
    ...shared,
    bank: bank.orders,
    instantBank: bank.instantOrders,
    isLateToBeNamed: createLateNaming(),
    isForgottenToBeNamed: createLateNaming(),
    rejections: createRejectionLooks(),
    leaseMilliseconds: leaseFor(answerMilliseconds),
    stopMilliseconds: STOP_MILLISECONDS,
  });
  const restoring = startRestoringPlaces(shared);
  return {
    stop: async () => {
      await Promise.all([restoring.stop(), executing.stop()]);
    },
  };
}
