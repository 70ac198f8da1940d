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
async function recheck(
  { bank, log, metrics }: ExecutionParts,
  paymentId: Parameters<ExecutionParts["rejections"]["note"]>[0],
): Promise<void> {
  const { state } = await bank.progressOf(paymentId, "recheck").catch(() => ({ state: "unknown" }));
  if (state !== "accepted" && state !== "completed") return;
  metrics.count("contradicted");
  log.error({ paymentId, progress: state }, "the bank executes a payment that it has rejected");
}
