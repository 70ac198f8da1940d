import type { Clock, Log } from "@cobs/service-edge";
import type { RejectedOrder } from "../bank/orders.ts";
import type { Lease } from "../payments/payment-store.ts";
import type { ExecutionMetrics } from "./execution-metrics.ts";
import { isLate } from "./execution-times.ts";
import type { IsToBeNamed } from "./late-naming.ts";

/** Where people at the bank read of payments that they should know about: the log and the metrics. */
export interface TellingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ExecutionMetrics;
  readonly isLateToBeNamed: IsToBeNamed;
  readonly isForgottenToBeNamed: IsToBeNamed;
}

/** Tells that a payment was queued for execution that nobody has approved, or that has ended. */
export function tellUnapproved({ log, metrics }: TellingParts, { paymentId, state }: Lease): void {
  metrics.count("refused");
  log.error(
    { paymentId, state },
    "a payment without an approval was queued for execution; it is not executed",
  );
}

/** Tells that the stored order is not the approved one. */
export function tellAltered({ log, metrics }: TellingParts, { paymentId }: Lease): void {
  metrics.count("refused");
  log.error({ paymentId }, "a payment differs from what was approved; it is not executed");
}

/** Tells what a person should know about a rejection in addition to the payment's record. */
export function tellRejection(
  { log, metrics }: TellingParts,
  { paymentId }: Lease,
  { reason, ownWord }: RejectedOrder,
): void {
  if (reason === "digest_mismatch") {
    metrics.count("mismatched");
    log.error(
      { paymentId },
      "the bank has a different order under the id of a payment, or did not receive the approved one",
    );
  }
  if (ownWord !== undefined)
    log.warn({ paymentId, ownWord }, "the bank rejected a payment for a reason outside the contract");
}

/**
 * Reports an accepted payment that should have ended, if it is one: the bank says that it has not, or says nothing. It is
 * counted at each look, but named once an hour.
 */
export function tellLate({ log, metrics, clock, isLateToBeNamed }: TellingParts, lease: Lease): void {
  if (lease.state !== "accepted" || !isLate(lease, clock.now())) return;
  const { paymentId, executionDate } = lease;
  metrics.count("late");
  if (!isLateToBeNamed(paymentId, clock.monotonicMilliseconds())) return;
  log.error({ paymentId, executionDate }, "the bank has not ended a payment in time that it accepted");
}

/**
 * Reports a payment that the bank has forgotten. It ends when the bank reports its outcome under its id: a person at the bank
 * sees to that. It is counted at each look, but named once an hour.
 */
export function tellForgotten(
  { log, metrics, clock, isForgottenToBeNamed }: TellingParts,
  { paymentId }: Lease,
): void {
  metrics.count("forgotten");
  if (!isForgottenToBeNamed(paymentId, clock.monotonicMilliseconds())) return;
  log.error({ paymentId }, "the bank no longer knows a payment that it accepted");
}
