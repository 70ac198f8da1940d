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

/** A payment whose time is over; `signing` says whether auth has told that nobody has approved it. */
export interface OverduePayment extends OverduePlace, NamedSigning {
  readonly signing: "open" | "ended";
}

/** Which of them: at most `limit`, the oldest first or those behind a place. */
export interface WantedOverdue extends Pick<OverduePayment, "signing"> {
  readonly limit: number;
  readonly after: OverduePlace | undefined;
}

/** Some of them, and the place of the last one, where there may be more behind it. */
export interface OverdueBatch extends Pick<PlacedBatch<OverduePlace>, "last"> {
  readonly overdue: readonly OverduePayment[];
}

/** What became of some of those payments. */
export interface ExpiredPayments extends Pick<PlacedBatch<OverduePlace>, "failures"> {
  readonly ended: readonly PaymentId[];
}
