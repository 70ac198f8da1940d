/**
 * Brings approved payments to their end. This folder owns the way between a payment and the bank: when it is handed over, how
 * an unknown outcome is found out, and how its end comes back. It does not own the payment's moves (`payments`), nor the
 * money (`bank`).
 *
 * Whatever happens to this process, a payment is sent at most once without a look-up: the hand-over is recorded before the
 * order goes to the bank, and a payment with a recorded hand-over is looked up first. Nothing needs a person: an unknown
 * outcome is asked for until it is known.
 */
import { CoreUnavailable, describeCoreFailure } from "../bank/core-unavailable.ts";
import type {
  OrderExecution,
  OrderOutcome,
  OrderProgress,
  OrderToExecute,
  RejectedOrder,
} from "../bank/orders.ts";
import type { ApprovedPayment } from "../payments/payment.ts";
import type { DueTime, Lease, PaymentStore, Settlement } from "../payments/payment-store.ts";
import { firstLook, lookSoon, nextLook, nextTry } from "./execution-times.ts";
import type { RejectionLooks } from "./rejection-looks.ts";
import {
  type TellingParts,
  tellAltered,
  tellForgotten,
  tellLate,
  tellRejection,
  tellUnapproved,
} from "./tell-troubles.ts";

/** Dependencies of execution: the payments and the bank. */
export interface ExecutionParts extends TellingParts {
  readonly store: Pick<
    PaymentStore,
    | "dueForHandOver"
    | "dueForSettlement"
    | "dueInstant"
    | "handOver"
    | "takeAcceptance"
    | "takeSettlement"
    | "refuseLease"
    | "postpone"
  >;
  readonly bank: OrderExecution;
  /** The same bank, for instant payments. */
  readonly instantBank: OrderExecution;
  readonly rejections: Pick<RejectionLooks, "note" | "takeDue">;
  /** How long no other process takes a payment (`leaseFor`). */
  readonly leaseMilliseconds: number;
}

/**
 * Takes at most `limit` payments that wait for a step, and works on each separately; the promises of this work never reject.
 * Throws when nothing can be taken.
 */
export type BeginStep = (parts: ExecutionParts, limit: number) => Promise<readonly Promise<void>[]>;

/** Hands over payments for which the bank has not answered yet. */
export const beginHandOvers = begin("dueForHandOver");

/** Asks the bank about the progress of payments that it has accepted. */
export const beginFollowing = begin("dueForSettlement");

/** Does both for instant payments, which must not wait until others have had their turn. */
export const beginInstant = begin("dueInstant");

function begin(due: "dueForHandOver" | "dueForSettlement" | "dueInstant"): BeginStep {
  return async (parts, limit) => {
    const terms = { limit, leaseMilliseconds: parts.leaseMilliseconds };
    const leases = await parts.store[due](terms);
    const instant = { ...parts, bank: parts.instantBank };
    return leases.map((lease) =>
      inTrouble(parts, lease, () => bringOn(lease.isInstant ? instant : parts, lease)),
    );
  };
}

/** Takes the next step that the payment's state allows, whatever step its place waits for. */
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

async function refuse(parts: ExecutionParts, lease: Lease): Promise<void> {
  if ((await parts.store.refuseLease(lease, actOf(parts))) === "refused") tellUnapproved(parts, lease);
}

/**
 * Hands over a payment. A payment that may have reached the bank is looked up before it is sent again. So is a payment that
 * was taken before, whatever its state, because a lost place is restored as one taken before.
 */
async function handOver(parts: ExecutionParts, lease: Lease): Promise<void> {
  if (lease.state === "approved" && lease.attempt === 1) return send(parts, lease);
  const progress = await parts.bank.progressOf(lease.paymentId);
  if (progress.state === "unknown") return send(parts, lease);
  // The hand-over was never recorded; the bank's order counts as this payment's only if it is the approved one.
  if (lease.state === "approved" && (await writeHandOver(parts, lease)) === undefined) return;
  await takeProgress(parts, lease, progress);
}

async function send(parts: ExecutionParts, lease: Lease): Promise<void> {
  const payment = await writeHandOver(parts, lease);
  if (payment === undefined) return;
  await takeOutcome(parts, { lease, payment }, await parts.bank.acceptOrder(orderOf(payment)));
}

/** Records the hand-over; undefined when the payment must not go to the bank. */
async function writeHandOver(parts: ExecutionParts, lease: Lease): Promise<ApprovedPayment | undefined> {
  const handed = await parts.store.handOver(lease, actOf(parts));
  if (handed.result === "refused") tellAltered(parts, lease);
  return handed.result === "handed_over" ? handed.payment : undefined;
}

async function takeOutcome(
  parts: ExecutionParts,
  { lease, payment }: { readonly lease: Lease; readonly payment: ApprovedPayment },
  outcome: OrderOutcome,
): Promise<void> {
  if (outcome.outcome === "rejected") return takeRejection(parts, lease, outcome);
  await takeAcceptance(parts, lease, firstLook(payment));
}

/** Takes what the bank knows about a payment that was handed over and whose answer has not been recorded yet. */
async function takeProgress(
  parts: ExecutionParts,
  lease: Lease,
  progress: Exclude<OrderProgress, { readonly state: "unknown" }>,
): Promise<void> {
  if (progress.state !== "accepted") return takeEnd(parts, lease, progress);
  await takeAcceptance(parts, lease, lookSoon(lease));
}

async function takeAcceptance(parts: ExecutionParts, lease: Lease, look: DueTime): Promise<void> {
  const taken = await parts.store.takeAcceptance(lease, look, actOf(parts));
  if (taken === "moved") parts.metrics.count("accepted");
}

/** Asks about an accepted payment. It is never sent again, even if the bank has forgotten it. */
async function follow(parts: ExecutionParts, lease: Lease): Promise<void> {
  const { store, bank, clock } = parts;
  const progress = await bank.progressOf(lease.paymentId);
  if (progress.state === "completed" || progress.state === "rejected") return takeEnd(parts, lease, progress);
  if (progress.state === "accepted") {
    tellLate(parts, lease);
    return store.postpone(lease, nextLook(lease, clock.now()));
  }
  tellForgotten(parts, lease);
  await store.postpone(lease, nextTry(lease.attempt));
}

async function takeEnd(
  parts: ExecutionParts,
  lease: Lease,
  progress: Extract<OrderProgress, { readonly state: "completed" | "rejected" }>,
): Promise<void> {
  if (progress.state === "rejected") return takeRejection(parts, lease, progress);
  const { entryReference } = progress;
  await takeSettlement(parts, lease, { outcome: "completed", entryReference });
}

/**
 * Takes a rejection, and notes the payment for a later look at the bank. One for a digest is not noted, because the bank's own
 * order under that id may be executed.
 */
async function takeRejection(parts: ExecutionParts, lease: Lease, rejected: RejectedOrder): Promise<void> {
  const { clock, rejections } = parts;
  const { reason } = rejected;
  tellRejection(parts, lease, rejected);
  const isTaken = await takeSettlement(parts, lease, { outcome: "rejected", reason });
  if (isTaken && reason !== "digest_mismatch")
    rejections.note(lease.paymentId, clock.monotonicMilliseconds());
}

/** Records how the bank has ended an order; false when another process has the payment. */
async function takeSettlement(parts: ExecutionParts, lease: Lease, settlement: Settlement): Promise<boolean> {
  const taken = await parts.store.takeSettlement(lease, settlement, actOf(parts));
  if (taken === "moved") parts.metrics.count(settlement.outcome);
  return taken === "moved";
}

/** A failure of one payment stops no other. Its outcome may be unknown now; the next try finds out. */
async function inTrouble(parts: ExecutionParts, lease: Lease, step: () => Promise<void>): Promise<void> {
  const { store, log, metrics } = parts;
  const { paymentId, attempt } = lease;
  try {
    await step();
  } catch (error) {
    metrics.count("unknown");
    const isOfBank = error instanceof CoreUnavailable;
    const reason = isOfBank ? describeCoreFailure(error) : {};
    log.warn({ error, ...reason, paymentId, attempt }, "a step of a payment failed; it will be retried");
    // Otherwise the bank may have said that it has ended.
    if (isOfBank) tellLate(parts, lease);
    // If this fails too, another process takes the payment when the lease is over.
    await store.postpone(lease, nextTry(attempt)).catch(() => {});
  }
}

function orderOf(payment: ApprovedPayment): OrderToExecute {
  const { id: paymentId, digest, orderText, approval, psu, account, order, fee, executionDate } = payment;
  return { paymentId, digest, orderText, approvalId: approval.id, psu, account, order, fee, executionDate };
}

function actOf({ clock }: Pick<ExecutionParts, "clock">) {
  return { now: clock.now(), requestId: undefined };
}
