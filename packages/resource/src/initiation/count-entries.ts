import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Clock } from "@cobs/service-edge";
import { asLimitRefusal } from "../limits/as-limit-refusal.ts";
import type { QuestionAllowance } from "../limits/question-allowance.ts";

/** Counts a payment that is about to be entered, whatever becomes of it. Refuses with `payment_limit`. */
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
      throw asLimitRefusal(error, "payment_limit", clock);
    }
  };
}
