import type { BookingRefusal } from "../booking-refusal.ts";
import type { OrderRejection } from "../orders.ts";

/** Gives the reason for rejecting an order that the ledger refused to book or block. */
export function rejectionOf({ code }: BookingRefusal): OrderRejection {
  return code === "funds_insufficient" ? code : "other";
}

/** The sandbox bank does not execute an order; the transaction that throws it must be rolled back. */
export class OrderRejected extends Error {
  readonly reason: OrderRejection;

  constructor(reason: OrderRejection) {
    super(reason);
    this.name = "OrderRejected";
    this.reason = reason;
  }
}
