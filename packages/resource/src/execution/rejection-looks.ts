import type { PaymentId } from "../payments/payment-ids.ts";

/** After a minute for what the bank did at the same time, after an hour for what it did only later. */
const PAUSES_MILLISECONDS = [60_000, 3_600_000];
/** A few megabytes for each pause. */
const MOST_REMEMBERED = 20_000;

/** Which rejected payments are to be looked at again, timed by a monotonic clock; kept by one process only. */
export interface RejectionLooks {
  /** Notes a payment that the bank has rejected just now. */
  note(paymentId: PaymentId, monotonicMilliseconds: number): void;
  /** Takes at most `limit` payments whose time has come; each is given once after every pause. */
  takeDue(monotonicMilliseconds: number, limit: number): readonly PaymentId[];
}

type Noted = { readonly paymentId: PaymentId; readonly since: number };

/** Makes an empty memory. Beyond the most that it remembers, the payments rejected first are dropped. */
export function createRejectionLooks(mostRemembered: number = MOST_REMEMBERED): RejectionLooks {
  const lines = PAUSES_MILLISECONDS.map((pause) => ({ pause, noted: new Set<Noted>() }));
  return {
    note: (paymentId, since) => {
      for (const { noted } of lines) {
        noted.add({ paymentId, since });
        const [first] = noted;
        if (first !== undefined && noted.size > mostRemembered) noted.delete(first);
      }
    },
    takeDue: (now, limit) => {
      const due: PaymentId[] = [];
      for (const { pause, noted } of lines)
        for (const each of noted) {
          if (due.length === limit || each.since + pause > now) break;
          noted.delete(each);
          due.push(each.paymentId);
        }
      return due;
    },
  };
}
