import type { PlacedBatch } from "@cobs/service-edge";
import type { PaymentId, SignId } from "./payment-ids.ts";

/** An attempt to have a payment approved, as it is named to auth. */
export interface NamedSigning {
  readonly paymentId: PaymentId;
  readonly signId: SignId;
}

/** A place among the payments that nobody has approved in time. */
export interface OverduePlace {
  readonly expiresAt: Date;
  readonly paymentId: PaymentId;
}

/** A payment whose time is over; `signing` is `ended` if auth has reported that nobody approved it. */
export interface OverduePayment extends OverduePlace, NamedSigning {
  readonly signing: "open" | "ended";
}

/** Selects overdue payments: at most `limit`, from the oldest on or after a place. */
export interface WantedOverdue extends Pick<OverduePayment, "signing"> {
  readonly limit: number;
  readonly after: OverduePlace | undefined;
}

/** Some overdue payments, and the place of the last one if there may be more after it. */
export interface OverdueBatch extends Pick<PlacedBatch<OverduePlace>, "last"> {
  readonly overdue: readonly OverduePayment[];
}

/** Outcome of expiring some overdue payments. */
export interface ExpiredPayments extends Pick<PlacedBatch<OverduePlace>, "failures"> {
  readonly ended: readonly PaymentId[];
}
