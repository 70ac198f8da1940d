import { type Clock, type CountJob, type Repeated, repeat } from "@cobs/service-edge";
import type { Payer, PayerFilter, PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import { gatherFailures, type NoteFailure, tellUntold } from "./failures-of-round.ts";
import { keepKnown } from "./keep-known.ts";
import type { QueuedPayers } from "./queue-payers.ts";
import { MOST_NAMED_SIGNINGS, type SigningAuthority } from "./signing-authority.ts";
import { type ReportParts, takeReport } from "./take-report.ts";
import { keepTroubledPayers, type TroubledPayers } from "./troubled-payers.ts";

/** What ending payments with their consents takes. */
export interface PaymentConsentParts extends ReportParts {
  readonly store: ReportParts["store"] &
    Pick<PaymentStore, "waitingPayers" | "findUnasked" | "attachKnown" | "endWaiting">;
  readonly authority: Pick<SigningAuthority, "hasConsentEnded" | "findKnown" | "cancel">;
  readonly payers: QueuedPayers;
  readonly clock: Clock;
  readonly countJob?: CountJob;
}

/** What one round takes, until it is told to stop. */
interface RoundParts extends PaymentConsentParts {
  readonly signal: AbortSignal;
  readonly noteFailure: NoteFailure;
}

const WAIT_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 1_000;

/**
 * Ends payments that wait for their PSU as soon as auth tells that what they hang on has ended (PSD2 Article 80(2)), until it is
 * stopped; at the beginning, and whenever events may have been missed, those of everybody are asked about. No decision depends
 * on it: auth lets nobody approve such a payment from the moment of the ending on. A payer about whom auth gives no answer
 * holds up no other one, and is asked about again by themselves. Stopping waits for what is asked about one payer.
 */
export function followPaymentConsents(parts: PaymentConsentParts): Repeated {
  const { countJob = () => repeat } = parts;
  const troubled = keepTroubledPayers(parts.clock);
  const failure = "payments could not be ended with their consents";
  const fail = tellUntold(parts.log, failure, RETRY_MILLISECONDS);
  return countJob("payment_consents")(
    (signal) => gatherFailures((noteFailure) => endQueued({ ...parts, signal, noteFailure }, troubled), fail),
    fail,
  );
}

/** What could not be found out stays queued. */
async function endQueued(parts: RoundParts, troubled: TroubledPayers): Promise<number> {
  await parts.payers.wait(WAIT_MILLISECONDS, parts.signal);
  let pause = 0;
  for (const payers of parts.payers.takeAll()) {
    if (parts.signal.aborted) return pause;
    const waiting = await findWaiting(parts, payers);
    if (waiting !== undefined && (await endPayments(parts, troubled, waiting))) continue;
    parts.payers.put(payers);
    pause = RETRY_MILLISECONDS;
  }
  for (const payer of troubled.takeDue()) {
    if (parts.signal.aborted) return pause;
    const waiting = await findWaiting(parts, payer);
    if (waiting?.length === 0) troubled.remove(payer);
    await endPayments(parts, troubled, waiting ?? []);
  }
  return pause;
}

function findWaiting(parts: RoundParts, payers: PayerFilter) {
  return inTrouble(parts, () => parts.store.waitingPayers(payers));
}

/** False when there is no room to keep those of whom nothing was found out. */
async function endPayments(
  parts: RoundParts,
  troubled: TroubledPayers,
  waiting: readonly Payer[],
): Promise<boolean> {
  let areKept = true;
  for (const payer of waiting) {
    if (parts.signal.aborted) break;
    const isAnswered = await inTrouble(parts, () => endIfOver(parts, payer));
    if (isAnswered) troubled.remove(payer);
    else areKept = troubled.add(payer) && areKept;
  }
  return areKept;
}

async function endIfOver(parts: PaymentConsentParts, payer: Payer): Promise<true> {
  if (await parts.authority.hasConsentEnded(payer)) await endPaymentsOf(parts, payer);
  return true;
}

/** Undefined when it could not be done. */
async function inTrouble<T>({ noteFailure }: RoundParts, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    noteFailure(error);
    return undefined;
  }
}

/**
 * Auth's word is the last about a request: what the PSU has approved before is executed, also where this database is older than
 * that. While auth was told to end one after the other, the PSU may have allowed payments again, so it is asked before the rest
 * ends.
 */
async function endPaymentsOf(parts: PaymentConsentParts, payer: Payer): Promise<void> {
  const { store, authority, clock } = parts;
  const act = { now: clock.now(), requestId: undefined };
  await attachKnownOf(parts, payer, act);
  const { asked } = await store.endWaiting(payer, act);
  for (const requestId of asked)
    await takeReport(parts, { requestId, report: await authority.cancel(requestId) }, act);
  if (asked.length > 0 && (await authority.hasConsentEnded(payer))) await store.endWaiting(payer, act);
}

/** Keeps which payments auth has an order of that is not known here. */
async function attachKnownOf(parts: PaymentConsentParts, payer: Payer, act: PaymentAct): Promise<void> {
  const { store, authority } = parts;
  const unasked = await store.findUnasked(payer);
  for (let from = 0; from < unasked.length; from += MOST_NAMED_SIGNINGS) {
    const known = await authority.findKnown(unasked.slice(from, from + MOST_NAMED_SIGNINGS));
    for (const each of known) await keepKnown(parts, each, act);
  }
}
