import { CoreUnavailable, describeCoreFailure } from "../bank/core-unavailable.ts";
import type { PaymentId } from "../payments/payment-ids.ts";
import type { BeginStep, ExecutionParts } from "./execute-payments.ts";

/**
 * Asks the bank again about payments that it has rejected: PSU and TPP were told that these are not executed, so they may pay
 * otherwise. A bank that has one in its books all the same is told of; the payment stays rejected.
 */
export const beginRechecks: BeginStep = async (parts, limit) =>
  parts.rejections
    .takeDue(parts.clock.monotonicMilliseconds(), limit)
    .map((paymentId) => recheck(parts, paymentId));

/** A question that fails is not repeated: what it would show is a fault of the bank that nothing here depends on. */
async function recheck(parts: ExecutionParts, paymentId: PaymentId): Promise<void> {
  try {
    const { state } = await parts.bank.progressOf(paymentId, "recheck");
    if (state === "accepted" || state === "completed") tellContradiction(parts, paymentId, state);
  } catch (error) {
    const reason = error instanceof CoreUnavailable ? describeCoreFailure(error) : {};
    parts.log.warn(
      { error, ...reason, paymentId },
      "the bank could not be asked again about a payment that it has rejected",
    );
  }
}

function tellContradiction(
  { log, metrics }: ExecutionParts,
  paymentId: PaymentId,
  progress: "accepted" | "completed",
): void {
  metrics.count("contradicted");
  log.error({ paymentId, progress }, "the bank executes a payment that it has rejected");
}
