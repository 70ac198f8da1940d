import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import type { PayerFilter } from "../payments/payment-store.ts";
import { createWakingQueue, type WakingQueue } from "./waking-queue.ts";

/** Those of whom auth has told that something ended on which their payments may hang. */
export interface QueuedPayers extends EndingTaker, Pick<WakingQueue<PayerFilter>, "takeAll" | "wait"> {
  /** Again, because it could not be found out. */
  put(payers: PayerFilter): void;
}

const EVERYBODY: PayerFilter = {};
/** More are asked about with everybody. */
const MOST_QUEUED = 10_000;

/** Makes an empty queue. Whether anything of theirs has ended is asked for when it is taken. */
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
    // Nobody knows what was told while nobody listened.
    begin: () => queue(EVERYBODY),
    take: (ending) => {
      const payers = payersOf(ending);
      if (payers !== undefined) queue(payers);
    },
  };
}

/** Whose payments may have ended with that; undefined when no payments hang on it. */
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
