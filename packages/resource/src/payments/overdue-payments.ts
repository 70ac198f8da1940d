import type { ListBatch } from "@cobs/service-edge";
import type { PaymentId, SignId } from "./payment-ids.ts";

/** An attempt to have a payment approved, as it is named to auth. */
export interface NamedSigning {
  readonly paymentId: PaymentId;
  readonly signId: SignId;
}

/** How far the payments that nobody has approved in time were read. */
export interface OverdueCursor {
  readonly expiresAt: Date;
  readonly paymentId: PaymentId;
}

/** A payment whose time is over; `signing` is `ended` if auth has reported that nobody approved it. */
export interface OverduePayment extends OverdueCursor, NamedSigning {
  readonly signing: "open" | "ended";
}

/** Selects overdue payments: at most `limit`, from the oldest on or after a cursor. */
export interface WantedOverdue extends Pick<OverduePayment, "signing"> {
  readonly limit: number;
  readonly after: OverdueCursor | undefined;
}

/** Some overdue payments, and the cursor of the last one if there may be more after it. */
export interface OverdueBatch extends Pick<ListBatch<OverdueCursor>, "last"> {
  readonly overdue: readonly OverduePayment[];
}

/** Outcome of expiring some overdue payments. */
export interface ExpiredPayments extends Pick<ListBatch<OverdueCursor>, "failures"> {
  readonly ended: readonly PaymentId[];
}
