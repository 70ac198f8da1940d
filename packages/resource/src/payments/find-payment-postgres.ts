import type { Queries } from "@cobs/service-edge";
import { findOwned, paymentOf, stateAt } from "./move-payment-postgres.ts";
import type { Payment } from "./payment.ts";
import type { OwnedPayment } from "./payment-store.ts";

/** The payment as it is at `now`. */
export async function findPayment(
  queries: Queries,
  owned: OwnedPayment,
  now: Date,
): Promise<Payment | undefined> {
  const row = await findOwned(queries, owned);
  return row && paymentOf(row, stateAt(row, now));
}
