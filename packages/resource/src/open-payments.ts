/**
 * Opens what payments need: the store, auth's part in them, and the background jobs. The jobs take decisions of PSUs, execute
 * payments, end payments that nobody has approved, and forget old ones. The lifecycle stops them.
 */
import type { Repeated, ServiceParts } from "@cobs/service-edge";
import type { BankChoice, OpenedBank } from "./bank/open-bank.ts";
import type { EndingTaker } from "./endings/ending.ts";
import { openExecution } from "./execution/open-execution.ts";
import type { PaymentParts } from "./http/payment-parts.ts";
import { countEntries } from "./initiation/count-entries.ts";
import { countPayments } from "./payments/payment-metrics.ts";
import { createPaymentStore } from "./payments/payment-store-postgres.ts";
import { startForgettingPayments } from "./payments/start-forgetting-payments.ts";
import { startExpiringPayments } from "./signing/expire-payments.ts";
import { followPaymentConsents } from "./signing/follow-payment-consents.ts";
import { followSignings } from "./signing/follow-signings.ts";
import { type QueuedPayers, queuePayers } from "./signing/queue-payers.ts";
import { type QueuedRequests, queueRequests } from "./signing/queue-requests.ts";
import { signingAtAuth } from "./signing/signing-at-auth.ts";

/** How long payments wait for approval, how long they stay readable, and which bank executes them. */
export interface PaymentTimes {
  readonly bank: BankChoice;
  /** Payments that one TPP may enter per minute in this process. */
  readonly paymentsPerMinute: number;
  readonly unsignedPaymentMinutes: number;
  readonly paymentRetentionDays: number;
}

/** The opened parts of payments, with the takers that must be connected to auth's event feed. */
export interface OpenedPayments extends PaymentParts {
  /** Takers that must receive auth's events. */
  readonly takers: readonly EndingTaker[];
}

/** Opens the payments of a process and starts their jobs. */
export function openPayments(
  { bank, orders, instantOrders }: Pick<OpenedBank, "bank" | "orders" | "instantOrders">,
  parts: Pick<ServiceParts, "database" | "clock" | "log" | "peer" | "metrics" | "lifecycle" | "countJob">,
  { paymentsPerMinute, unsignedPaymentMinutes, paymentRetentionDays, bank: choice }: PaymentTimes,
): OpenedPayments {
  const { database, clock, log, peer, lifecycle } = parts;
  const store = countPayments(createPaymentStore(database), parts.metrics);
  const signing = { store, authority: signingAtAuth(peer), clock, log };
  const queued = queueRequests();
  const payers = queuePayers();
  const jobs = [
    ...startJobs({ ...signing, queued, payers, database, countJob: parts.countJob }, paymentRetentionDays),
    openExecution(parts, {
      store,
      bank: { orders, instantOrders },
      answerMilliseconds: answerTimeOf(choice),
    }),
  ];
  // Stopped together, because each may wait for a database or an auth that does not answer.
  lifecycle.onStop("payments", async () => {
    await Promise.all(jobs.map((job) => job.stop()));
  });
  const { terms, inspectOrder } = orders;
  const asked = { terms, inspectOrder, accountsOf: bank.accountsOf, currenciesOf: bank.currenciesOf };
  const countEntry = countEntries(paymentsPerMinute, clock);
  const entry = { bank: asked, store, countEntry, payers, clock, unsignedPaymentMinutes };
  return { takers: [queued, payers], signing, entry };
}

/** Upper bound of the sandbox bank's answer time: it gives up on its own database sooner. */
const SANDBOX_MILLISECONDS = 5_000;

function answerTimeOf(choice: BankChoice): number {
  return choice.kind === "http" ? choice.core.timeoutMilliseconds : SANDBOX_MILLISECONDS;
}

function startJobs(
  parts: PaymentParts["signing"] &
    Pick<ServiceParts, "database" | "countJob"> & {
      readonly queued: QueuedRequests;
      readonly payers: QueuedPayers;
    },
  retentionDays: number,
): readonly Repeated[] {
  return [
    followSignings(parts),
    followPaymentConsents(parts),
    startExpiringPayments(parts),
    startForgettingPayments(parts, retentionDays),
  ];
}
