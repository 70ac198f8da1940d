import type { OrderRejection } from "../orders.ts";

/** The sandbox bank does not execute an order; the transaction in which it is thrown must be rolled back. */
export class OrderRejected extends Error {
  readonly reason: OrderRejection;

  constructor(reason: OrderRejection) {
    super(reason);
    this.name = "OrderRejected";
    this.reason = reason;
  }
}
