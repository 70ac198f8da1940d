/**
 * Brings approved payments to their end. This folder owns the way between a payment and the bank: when it is handed over,
 * how an unknown outcome is found out, and how its end comes back. It does not own the payment's moves (`payments`), nor
 * the money (`bank`).
 *
 * Whatever happens to this process, a payment is sent at most once without having been looked up: that it goes to the bank
 * is written before it does, and one of which that is written is looked up first. Nothing needs a person: what is not known
 * is asked again until it is.
 */
import type { Clock, Log } from "@cobs/service-edge";
import type { OrderBank, OrderOutcome, OrderProgress, OrderToExecute } from "../bank/orders.ts";
import type { ApprovedPayment } from "../payments/payment.ts";
import type { Lease, PaymentStore } from "../payments/payment-store.ts";
import type { ExecutionMetrics } from "./execution-metrics.ts";
import { firstLookAt, nextTryAt } from "./execution-times.ts";

/** What executing needs of the payments, and of the bank. */
export interface ExecutionParts {
  readonly store: Pick<
    PaymentStore,
    "dueForHandOver" | "dueForSettlement" | "handedOver" | "bankAnswered" | "settled" | "postpone"
  >;
  readonly bank: Pick<OrderBank, "acceptOrder" | "progressOf">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ExecutionMetrics;
}

/** How many payments a process works on at once, and how long nobody else takes them: longer than a bank may think. */
const WISH = { limit: 8, leaseMilliseconds: 15_000 };

/** Takes what is due for the bank, brings each a step further, and gives how many there were. Throws where nothing can be taken. */
export async function executeDuePayments(parts: ExecutionParts): Promise<number> {
  const by = actOf(parts);
  const toHandOver = await parts.store.dueForHandOver(WISH, by);
  const toFollow = await parts.store.dueForSettlement(WISH, by);
  await Promise.all([
    ...toHandOver.map((lease) => inTrouble(parts, lease, () => handOver(parts, lease))),
    ...toFollow.map((lease) => inTrouble(parts, lease, () => follow(parts, lease))),
  ]);
  return toHandOver.length + toFollow.length;
}

/** One that may have arrived is looked up before anything is sent again. */
async function handOver(parts: ExecutionParts, lease: Lease): Promise<void> {
  if (lease.state === "approved") return send(parts, lease);
  const progress = await parts.bank.progressOf(lease.paymentId);
  return progress.state === "unknown" ? send(parts, lease) : takeProgress(parts, lease, progress);
}

async function send(parts: ExecutionParts, lease: Lease): Promise<void> {
  const { store, bank, metrics, log } = parts;
  const { paymentId } = lease;
  const handed = await store.handedOver(lease, actOf(parts));
  if (handed.result === "lost") return;
  if (handed.result === "refused") {
    metrics.count("refused");
    return log.error({ paymentId }, "a payment is not the one that was approved; it is not executed");
  }
  const outcome = await bank.acceptOrder(orderOf(handed.payment));
  await takeOutcome(parts, { lease, payment: handed.payment }, outcome);
}

async function takeOutcome(
  parts: ExecutionParts,
  { lease, payment }: { readonly lease: Lease; readonly payment: ApprovedPayment },
  outcome: OrderOutcome,
): Promise<void> {
  const { store, clock } = parts;
  if (outcome.outcome === "rejected") return takeRejection(parts, lease, outcome.reason);
  const lookAt = firstLookAt(payment, clock.now());
  const taken = await store.bankAnswered(lease, { outcome: "accepted", lookAt }, actOf(parts));
  if (taken === "moved") parts.metrics.count("accepted");
}

async function takeRejection(parts: ExecutionParts, lease: Lease, reason: string): Promise<void> {
  const { paymentId } = lease;
  if (reason === "digest_mismatch")
    parts.log.error({ paymentId }, "the bank has another order under the id of a payment");
  const taken = await parts.store.bankAnswered(lease, { outcome: "rejected", reason }, actOf(parts));
  if (taken === "moved") parts.metrics.count("rejected");
}

/** What the bank knows of a payment that was handed over; it has not been told here before. */
async function takeProgress(
  parts: ExecutionParts,
  lease: Lease,
  progress: Exclude<OrderProgress, { readonly state: "unknown" }>,
): Promise<void> {
  const { store, clock } = parts;
  if (progress.state === "rejected") return takeRejection(parts, lease, progress.reason);
  if (progress.state === "completed") return takeEnd(parts, lease, progress);
  const answer = { outcome: "accepted", lookAt: nextTryAt(clock.now(), lease.attempt) } as const;
  if ((await store.bankAnswered(lease, answer, actOf(parts))) === "moved") parts.metrics.count("accepted");
}

/** Asks how an accepted one goes. It is never sent again, even if the bank should have forgotten it. */
async function follow(parts: ExecutionParts, lease: Lease): Promise<void> {
  const { store, bank, clock, log } = parts;
  const progress = await bank.progressOf(lease.paymentId);
  if (progress.state === "completed" || progress.state === "rejected") return takeEnd(parts, lease, progress);
  if (progress.state === "unknown")
    log.error(
      { paymentId: lease.paymentId },
      "the bank does not know a payment any more that it has accepted",
    );
  await store.postpone(lease, nextTryAt(clock.now(), lease.attempt));
}

async function takeEnd(
  parts: ExecutionParts,
  lease: Lease,
  progress: Extract<OrderProgress, { readonly state: "completed" | "rejected" }>,
): Promise<void> {
  const settlement =
    progress.state === "completed"
      ? ({ outcome: "completed", entryReference: progress.entryReference } as const)
      : ({ outcome: "rejected", reason: progress.reason } as const);
  if ((await parts.store.settled(lease, settlement, actOf(parts))) === "moved")
    parts.metrics.count(settlement.outcome);
}

/** What goes wrong with one payment stops no other. Its outcome may be unknown now: the next try finds out. */
async function inTrouble(parts: ExecutionParts, lease: Lease, step: () => Promise<void>): Promise<void> {
  const { store, clock, log, metrics } = parts;
  const { paymentId, attempt } = lease;
  try {
    await step();
  } catch (error) {
    metrics.count("unknown");
    log.warn({ error, paymentId, attempt }, "a payment could not be brought further; it is tried again");
    // If this does not work either, somebody takes it when the lease is over.
    await store.postpone(lease, nextTryAt(clock.now(), attempt)).catch(() => {});
  }
}

function orderOf(payment: ApprovedPayment): OrderToExecute {
  const { id: paymentId, digest, approval, psu, account, order, fee, executionDate } = payment;
  return { paymentId, digest, approvalId: approval.id, psu, account, order, fee, executionDate };
}

function actOf({ clock }: Pick<ExecutionParts, "clock">) {
  return { now: clock.now(), requestId: undefined };
}
