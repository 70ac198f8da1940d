/**
 * Opens what payments take: the store, auth's part in them, and what goes on without a call: taking decisions, execution,
 * ending payments that nobody has approved, and forgetting old ones. The lifecycle ends it.
 */
import type { ServiceParts } from "@cobs/service-edge";
import type { OpenedBank } from "./bank/open-bank.ts";
import type { EndingTaker } from "./endings/ending.ts";
import { openExecution } from "./execution/open-execution.ts";
import type { PaymentParts } from "./http/payment-parts.ts";
import { createPaymentStore } from "./payments/payment-store-postgres.ts";
import { startExpiringPayments, startForgettingPayments } from "./payments/start-payment-jobs.ts";
import { followSignings } from "./signing/follow-signings.ts";
import { type QueuedRequests, queueRequests } from "./signing/queue-requests.ts";
import { signingAtAuth } from "./signing/signing-at-auth.ts";

/** How long payments wait, and how long they are told of. */
export interface PaymentTimes {
  readonly unsignedPaymentMinutes: number;
  readonly paymentRetentionDays: number;
}

/** Payments that are taken, once the endings are followed. */
export interface OpenedPayments extends PaymentParts {
  /** To be told of what auth tells. */
  readonly taker: EndingTaker;
}

/** Opens the payments of a process; undefined where the bank takes no orders. */
export function openPayments(
  { bank, orders }: Pick<OpenedBank, "bank" | "orders">,
  parts: ServiceParts,
  { unsignedPaymentMinutes, paymentRetentionDays }: PaymentTimes,
): OpenedPayments | undefined {
  if (orders === undefined) return undefined;
  const { database, clock, log, peer } = parts;
  const store = createPaymentStore(database);
  const signing = { store, authority: signingAtAuth(peer), clock, log };
  const queued = queueRequests();
  startJobs(parts, { ...signing, queued }, paymentRetentionDays);
  openExecution(parts, { store, bank: orders });
  const asked = { terms: orders.terms, inspectOrder: orders.inspectOrder, accountsOf: bank.accountsOf };
  return { taker: queued, signing, entry: { bank: asked, store, clock, unsignedPaymentMinutes } };
}

function startJobs(
  { lifecycle }: Pick<ServiceParts, "lifecycle">,
  parts: PaymentParts["signing"] & { readonly queued: QueuedRequests },
  retentionDays: number,
): void {
  const jobs = [
    followSignings(parts),
    startExpiringPayments(parts),
    startForgettingPayments(parts, retentionDays),
  ];
  for (const job of jobs) lifecycle.onStop("payments", () => job.stop());
}
