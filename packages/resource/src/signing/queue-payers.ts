import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import type { Payer, PayerFilter } from "../payments/payment-store.ts";
import { createWakingQueue, type WakingQueue } from "./waking-queue.ts";

/** Payers whose consent or application may have ended, or whose PSU or TPP may have been blocked. */
export interface QueuedPayers extends EndingTaker, Pick<WakingQueue<PayerFilter>, "takeAll" | "wait"> {
  /** Queues payers again, because whether their payments go on could not be found out. */
  put(payers: PayerFilter): void;
  /** Number of events that payments depend on and that were taken so far. */
  heard(): number;
  /**
   * Queues a payer whose payment is entered now, if one of the events since `heard` is about them: their queued place was perhaps
   * taken before the payment was there.
   */
  putIfHeard(heard: number, payer: Payer): void;
}

/** Most events that are remembered for payments being entered; of an older one, nobody knows whom it is about. */
const MOST_HEARD = 1_000;
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
  let heard = 0;
  const last: PayerFilter[] = [];
  function hear(payers: PayerFilter): void {
    heard += 1;
    last.push(payers);
    if (last.length > MOST_HEARD) last.shift();
    queue(payers);
  }
  return {
    put: queue,
    takeAll,
    wait,
    // Events may have been missed while nobody listened.
    begin: () => hear(EVERYBODY),
    take: (ending) => {
      const payers = payersOf(ending);
      if (payers !== undefined) hear(payers);
    },
    heard: () => heard,
    putIfHeard: (before, payer) => {
      const since = heard - before;
      if (since === 0) return;
      const isUnknown = since > last.length;
      if (isUnknown || last.slice(-since).some((payers) => isAmong(payers, payer))) queue(payer);
    },
  };
}

function isAmong(payers: PayerFilter, payer: Payer): boolean {
  const { organisationIdentifier: tpp, applicationId, psu } = payers;
  return (
    (tpp ?? payer.organisationIdentifier) === payer.organisationIdentifier &&
    (applicationId ?? payer.applicationId) === payer.applicationId &&
    (psu ?? payer.psu) === payer.psu
  );
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
