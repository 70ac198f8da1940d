import type { Queries } from "@cobs/service-edge";
import type { OrderProgress, OrderRejection } from "../orders.ts";

type ProgressRow =
  | { readonly state: "accepted" }
  | { readonly state: "completed" }
  | { readonly state: "rejected"; readonly reason: OrderRejection };

/** Implements {@link OrderBank.progressOf}; a payment is booked under its own id. */
export async function progressOf(queries: Queries, paymentId: string): Promise<OrderProgress> {
  const [row] = await queries.run<ProgressRow>({ ...PROGRESS, values: [paymentId] });
  if (row === undefined) return { state: "unknown" };
  if (row.state === "rejected") return { state: "rejected", reason: row.reason };
  return row.state === "completed"
    ? { state: "completed", entryReference: paymentId }
    : { state: "accepted" };
}

const PROGRESS = {
  name: "sandbox-order-progress",
  text: "SELECT state, reason FROM sandbox_order WHERE payment_id = $1",
};
