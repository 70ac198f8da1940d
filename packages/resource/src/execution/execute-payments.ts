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
import { CoreUnavailable, describeCoreFailure } from "../bank/core-unavailable.ts";
import type {
  OrderBank,
  OrderOutcome,
  OrderProgress,
  OrderToExecute,
  RejectedOrder,
} from "../bank/orders.ts";
import type { ApprovedPayment } from "../payments/payment.ts";
import type { Lease, PaymentStore } from "../payments/payment-store.ts";
import type { ExecutionMetrics } from "./execution-metrics.ts";
import { firstLookAt, lookSoonAt, nextLookAt, nextTryAt } from "./execution-times.ts";

/** What executing needs of the payments, and of the bank. */
export interface ExecutionParts {
  readonly store: Pick<
    PaymentStore,
    | "dueForHandOver"
    | "dueForSettlement"
    | "handOver"
    | "takeAnswer"
    | "takeSettlement"
    | "refuseLease"
    | "postpone"
  >;
  readonly bank: Pick<OrderBank, "acceptOrder" | "progressOf">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ExecutionMetrics;
  /** For how long nobody else takes a payment (`leaseFor`). */
  readonly leaseMilliseconds: number;
}

/**
 * Takes at most so many payments that wait for a step, and works on each of them by itself; what comes of it never rejects.
 * Throws where nothing can be taken.
 */
export type BeginStep = (parts: ExecutionParts, limit: number) => Promise<readonly Promise<void>[]>;

/** Brings to the bank what it has not answered for. */
export const beginHandOvers = begin("dueForHandOver");

/** Asks the bank how those go that it has accepted. */
export const beginFollowing = begin("dueForSettlement");

function begin(due: "dueForHandOver" | "dueForSettlement"): BeginStep {
  return async (parts, limit) => {
    const terms = { limit, leaseMilliseconds: parts.leaseMilliseconds };
    const leases = await parts.store[due](terms, actOf(parts));
    return leases.map((lease) => inTrouble(parts, lease, () => bringOn(parts, lease)));
  };
}

/** What its state lets happen next, whatever the place says in which it waits. */
function bringOn(parts: ExecutionParts, lease: Lease): Promise<void> {
  switch (lease.state) {
    case "approved":
    case "handed_over":
      return handOver(parts, lease);
    case "accepted":
      return follow(parts, lease);
    default:
      return refuse(parts, lease);
  }
}

async function refuse({ store, metrics, log, clock }: ExecutionParts, lease: Lease): Promise<void> {
  const { paymentId, state } = lease;
  if ((await store.refuseLease(lease, actOf({ clock }))) === "lost") return;
  metrics.count("refused");
  log.error({ paymentId, state }, "a payment without an approval waits for execution; it is not executed");
}

/**
 * One that may have arrived is looked up before anything is sent again; and so is one that somebody has taken before, whatever
 * its state says, because a place that was lost is given back as such a one.
 */
async function handOver(parts: ExecutionParts, lease: Lease): Promise<void> {
  if (lease.state === "approved" && lease.attempt === 1) return send(parts, lease);
  const progress = await parts.bank.progressOf(lease.paymentId);
  if (progress.state === "unknown") return send(parts, lease);
  // Nobody has written that it went there; what the bank has is taken for it only if it is what was approved.
  if (lease.state === "approved" && (await writeHandOver(parts, lease)) === undefined) return;
  await takeProgress(parts, lease, progress);
}

async function send(parts: ExecutionParts, lease: Lease): Promise<void> {
  const payment = await writeHandOver(parts, lease);
  if (payment === undefined) return;
  await takeOutcome(parts, { lease, payment }, await parts.bank.acceptOrder(orderOf(payment)));
}

/** Undefined when it does not go there. */
async function writeHandOver(parts: ExecutionParts, lease: Lease): Promise<ApprovedPayment | undefined> {
  const { store, metrics, log } = parts;
  const handed = await store.handOver(lease, actOf(parts));
  if (handed.result === "handed_over") return handed.payment;
  if (handed.result === "lost") return undefined;
  metrics.count("refused");
  const { paymentId } = lease;
  log.error({ paymentId }, "a payment is not the one that was approved; it is not executed");
  return undefined;
}

async function takeOutcome(
  parts: ExecutionParts,
  { lease, payment }: { readonly lease: Lease; readonly payment: ApprovedPayment },
  outcome: OrderOutcome,
): Promise<void> {
  const { store, clock } = parts;
  if (outcome.outcome === "rejected") return takeRejection(parts, lease, outcome);
  const lookAt = firstLookAt(payment, clock.now());
  const taken = await store.takeAnswer(lease, { outcome: "accepted", lookAt }, actOf(parts));
  if (taken === "moved") parts.metrics.count("accepted");
}

async function takeRejection(parts: ExecutionParts, lease: Lease, rejected: RejectedOrder): Promise<void> {
  const { reason } = rejected;
  tellRejection(parts, lease, rejected);
  const taken = await parts.store.takeAnswer(lease, { outcome: "rejected", reason }, actOf(parts));
  if (taken === "moved") parts.metrics.count("rejected");
}

/** What a person should know of a rejection beside what is in the payment's record. */
function tellRejection(
  { log }: ExecutionParts,
  { paymentId }: Lease,
  { reason, ownWord }: RejectedOrder,
): void {
  if (reason === "digest_mismatch")
    log.error(
      { paymentId },
      "the bank has another order under the id of a payment, or was not sent the approved one",
    );
  if (ownWord !== undefined)
    log.warn({ paymentId, ownWord }, "the bank rejects a payment for a reason that only it has a word for");
}

/** What the bank knows of a payment that was handed over; it has not been told here before. */
async function takeProgress(
  parts: ExecutionParts,
  lease: Lease,
  progress: Exclude<OrderProgress, { readonly state: "unknown" }>,
): Promise<void> {
  const { store, clock } = parts;
  if (progress.state === "rejected") return takeRejection(parts, lease, progress);
  if (progress.state === "completed") return takeEnd(parts, lease, progress);
  const answer = { outcome: "accepted", lookAt: lookSoonAt(lease, clock.now()) } as const;
  if ((await store.takeAnswer(lease, answer, actOf(parts))) === "moved") parts.metrics.count("accepted");
}

/** Asks how an accepted one goes. It is never sent again, even if the bank should have forgotten it. */
async function follow(parts: ExecutionParts, lease: Lease): Promise<void> {
  const { store, bank, clock } = parts;
  const progress = await bank.progressOf(lease.paymentId);
  if (progress.state === "completed" || progress.state === "rejected") return takeEnd(parts, lease, progress);
  const now = clock.now();
  if (progress.state === "accepted") return store.postpone(lease, nextLookAt(lease, now));
  tellForgotten(parts, lease);
  await store.postpone(lease, nextTryAt(now, lease.attempt));
}

/** It ends when the bank says under its id how it ended: a person of the bank sees to that. */
function tellForgotten({ log, metrics }: ExecutionParts, { paymentId }: Lease): void {
  metrics.count("forgotten");
  log.error({ paymentId }, "the bank does not know a payment any more that it has accepted");
}

async function takeEnd(
  parts: ExecutionParts,
  lease: Lease,
  progress: Extract<OrderProgress, { readonly state: "completed" | "rejected" }>,
): Promise<void> {
  if (progress.state === "rejected") tellRejection(parts, lease, progress);
  const settlement =
    progress.state === "completed"
      ? ({ outcome: "completed", entryReference: progress.entryReference } as const)
      : ({ outcome: "rejected", reason: progress.reason } as const);
  if ((await parts.store.takeSettlement(lease, settlement, actOf(parts))) === "moved")
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
    const reason = error instanceof CoreUnavailable ? describeCoreFailure(error) : {};
    log.warn({ error, ...reason, paymentId, attempt }, "a step of a payment failed; it is tried again");
    // If this does not work either, somebody takes it when the lease is over.
    await store.postpone(lease, nextTryAt(clock.now(), attempt)).catch(() => {});
  }
}

function orderOf(payment: ApprovedPayment): OrderToExecute {
  const { id: paymentId, digest, orderText, approval, psu, account, order, fee, executionDate } = payment;
  return { paymentId, digest, orderText, approvalId: approval.id, psu, account, order, fee, executionDate };
}

function actOf({ clock }: Pick<ExecutionParts, "clock">) {
  return { now: clock.now(), requestId: undefined };
}
