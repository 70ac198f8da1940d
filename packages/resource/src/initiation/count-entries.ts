import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Clock } from "@cobs/service-edge";
import { AllowanceUsedUp, type QuestionAllowance } from "../limits/question-allowance.ts";

/** A TPP has entered as many payments as it may for now; no other TPP is concerned. */
export class PaymentLimitRefusal extends Error {
  /** When it may enter another one. */
  readonly continuesAt: Date;
  /** The same from now on, rounded up. */
  readonly retryAfterSeconds: number;

  constructor(now: Date, waitMilliseconds: number) {
    super("payment_limit");
    this.name = "PaymentLimitRefusal";
    this.continuesAt = new Date(now.getTime() + waitMilliseconds);
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMilliseconds / 1000));
  }
}

/** Counts a payment that is about to be entered, whatever becomes of it. Refuses with `PaymentLimitRefusal`. */
export type CountEntry = (tpp: OrganisationIdentifier) => Promise<void>;

/**
 * Counts in this process. Every entered payment is stored for as long as unsigned payments are kept, whether or not a
 * PSU ever approves it, so their number has to be limited.
 */
export function countEntries(allowance: QuestionAllowance, clock: Clock): CountEntry {
  return async (tpp) => {
    try {
      await allowance.ask(
        tpp,
        () => undefined,
        () => false,
      );
    } catch (error) {
      if (!(error instanceof AllowanceUsedUp)) throw error;
      throw new PaymentLimitRefusal(clock.now(), error.waitMilliseconds);
    }
  };
}
