import type { PaymentId } from "../payments/payment-ids.ts";
import type { Payer, PayerFilter } from "../payments/payment-store.ts";

/** A payer whose waiting payments may have to end. */
export interface WaitingPayer {
  readonly payer: Payer;
  /** As whom the payer was queued. */
  readonly of: PayerFilter;
  /** The payment after which to go on; undefined at the beginning. */
  readonly after?: PaymentId;
  /** Whether something has failed with their payments up to there. */
  readonly hasFailed?: boolean;
}

/** The payers of one round. TPPs take turns, so that one with very many waiting payments does not hold up the others. */
export interface PayerTurns {
  /** Adds a payer behind those of the same TPP, or changes where to go on. */
  add(waiting: WaitingPayer): void;
  /** Takes the next payer of each TPP; empty when none is left. */
  take(): readonly WaitingPayer[];
}

/** Creates the turns of a round that has no payers yet. */
export function createPayerTurns(): PayerTurns {
  const lanes = new Map<string, Map<string, WaitingPayer>>();
  return {
    add: (waiting) => {
      const { organisationIdentifier, applicationId, psu } = waiting.payer;
      const lane = lanes.get(organisationIdentifier) ?? new Map<string, WaitingPayer>();
      lanes.set(organisationIdentifier, lane.set(JSON.stringify([applicationId, psu]), waiting));
    },
    take: () =>
      [...lanes].flatMap(([tpp, lane]) => {
        const [next] = lane;
        if (next === undefined) return [];
        lane.delete(next[0]);
        if (lane.size === 0) lanes.delete(tpp);
        return [next[1]];
      }),
  };
}
