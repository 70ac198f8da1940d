import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import type { PayerFilter } from "../payments/payment-store.ts";
import { createWakingQueue, type WakingQueue } from "./waking-queue.ts";

/** Payers whose consent or application may have ended, or whose PSU or TPP may have been blocked. */
export interface QueuedPayers extends EndingTaker, Pick<WakingQueue<PayerFilter>, "takeAll" | "wait"> {
  /** Queues payers again, because whether their payments go on could not be found out. */
  put(payers: PayerFilter): void;
}

const EVERYBODY: PayerFilter = {};
/** Above this, the queue holds everybody instead. */
const MOST_QUEUED = 10_000;

/** Creates an empty queue. It does not say whether anything has ended: auth is asked once a payer is taken. */
export function queuePayers(): QueuedPayers {
  const { put, takeAll, wait } = createWakingQueue<PayerFilter>(MOST_QUEUED);
  function queue(payers: PayerFilter): void {
    if (put(JSON.stringify(payers), payers)) return;
    takeAll();
    put("", EVERYBODY);
  }
  return {
    put: queue,
    takeAll,
    wait,
    // Events may have been missed while nobody listened.
    begin: () => queue(EVERYBODY),
    take: (ending) => {
      const payers = payersOf(ending);
      if (payers !== undefined) queue(payers);
    },
  };
}

/** Payers whose payments may end with this event; undefined when no payments depend on it. */
function payersOf(ending: Ending): PayerFilter | undefined {
  switch (ending.kind) {
    case "payment_consent":
      return { applicationId: parseApplicationId(ending.applicationId), psu: parsePsuId(ending.psu) };
    case "application":
      return { applicationId: parseApplicationId(ending.id) };
    case "psu_blocked":
      return { psu: parsePsuId(ending.id) };
    case "tpp_blocked":
      return { organisationIdentifier: ending.organisationIdentifier };
    default:
      return undefined;
  }
}
