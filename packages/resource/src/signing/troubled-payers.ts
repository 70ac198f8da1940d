import type { Clock } from "@cobs/service-edge";
import type { Payer } from "../payments/payment-store.ts";

/**
 * Payers for whom it could not be found out whether their payments go on. Each is asked about again after a pause, which
 * grows each time.
 */
export interface TroubledPayers {
  /** Keeps a payer until {@link remove}, and does nothing if the payer is already kept. Returns false when there is no room. */
  add(payer: Payer): boolean;
  remove(payer: Payer): void;
  /** Takes the payers that are due to be asked about again, and sets their next time. */
  takeDue(): readonly Payer[];
}

const FIRST_PAUSE_MILLISECONDS = 1_000;
const LONGEST_PAUSE_MILLISECONDS = 60_000;
const MOST_KEPT = 10_000;

/** Creates an empty set of troubled payers. */
export function keepTroubledPayers(clock: Pick<Clock, "monotonicMilliseconds">): TroubledPayers {
  const kept = new Map<string, { readonly payer: Payer; readonly pause: number; readonly again: number }>();
  function set(payer: Payer, pause: number): void {
    kept.set(keyOf(payer), { payer, pause, again: clock.monotonicMilliseconds() + pause });
  }
  return {
    add: (payer) => {
      if (kept.has(keyOf(payer))) return true;
      if (kept.size >= MOST_KEPT) return false;
      set(payer, FIRST_PAUSE_MILLISECONDS);
      return true;
    },
    remove: (payer) => void kept.delete(keyOf(payer)),
    takeDue: () => {
      const now = clock.monotonicMilliseconds();
      const due = [...kept.values()].filter(({ again }) => again <= now);
      for (const { payer, pause } of due) set(payer, Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS));
      return due.map(({ payer }) => payer);
    },
  };
}

function keyOf({ organisationIdentifier, applicationId, psu }: Payer): string {
  return JSON.stringify([organisationIdentifier, applicationId, psu]);
}
