import { type Clock, type CountJob, type Repeated, repeat } from "@cobs/service-edge";
import type { Payer, PayerFilter, PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import { type About, type NoteFailure, tellUntold } from "./failures-of-round.ts";
import { keepKnown } from "./keep-known.ts";
import type { QueuedPayers } from "./queue-payers.ts";
import { MOST_NAMED_SIGNINGS, type SigningAuthority } from "./signing-authority.ts";
import { type ReportParts, takeReport } from "./take-report.ts";
import { keepTroubledPayers, type TroubledPayers } from "./troubled-payers.ts";

/** Dependencies of ending payments with their consents. */
export interface PaymentConsentParts extends ReportParts {
  readonly store: ReportParts["store"] &
    Pick<PaymentStore, "waitingPayers" | "findUnasked" | "attachKnown" | "endWaiting">;
  readonly authority: Pick<SigningAuthority, "hasConsentEnded" | "findKnown" | "cancel">;
  readonly payers: QueuedPayers;
  readonly clock: Clock;
  readonly countJob?: CountJob;
}

/** Dependencies of one round, and the signal that stops it. */
interface RoundParts extends PaymentConsentParts {
  readonly signal: AbortSignal;
  readonly noteFailure: NoteFailure;
}

const WAIT_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 1_000;

/**
 * Ends payments that wait for their PSU as soon as auth reports that what they depend on has ended (PSD2 Article 80(2)),
 * until it is stopped. At the start, and whenever events may have been missed, it asks about every payer with waiting
 * payments. No decision depends on this job: from the moment of the ending, auth lets nobody approve such a payment. A payer
 * about whom auth gives no answer does not hold up others, and is asked about again separately. Stopping waits for the
 * questions about one payer.
 */
export function followPaymentConsents(parts: PaymentConsentParts): Repeated {
  const { countJob = () => repeat } = parts;
  const troubled = keepTroubledPayers(parts.clock);
  const failure = "payments could not be ended with their consents";
  const { gather, fail } = tellUntold(parts.log, failure, RETRY_MILLISECONDS);
  return countJob("payment_consents")(
    (signal) => gather((noteFailure) => endQueued({ ...parts, signal, noteFailure }, troubled)),
    fail,
  );
}

/**
 * Handles all queued payers and the troubled ones that are due. Payers are queued again if their payments could not be read,
 * or if there was no room to keep those without an answer.
 */
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
  return inTrouble(parts, payers, () => parts.store.waitingPayers(payers));
}

/** Returns false when there is no room to keep the payers about whom nothing could be found out. */
async function endPayments(
  parts: RoundParts,
  troubled: TroubledPayers,
  waiting: readonly Payer[],
): Promise<boolean> {
  let areKept = true;
  for (const payer of waiting) {
    if (parts.signal.aborted) break;
    const isAnswered = await inTrouble(parts, payer, () => endIfOver(parts, payer));
    if (isAnswered) troubled.remove(payer);
    else areKept = troubled.add(payer) && areKept;
  }
  return areKept;
}

async function endIfOver(parts: PaymentConsentParts, payer: Payer): Promise<true> {
  if (await parts.authority.hasConsentEnded(payer)) await endPaymentsOf(parts, payer);
  return true;
}

/** Notes a failure and returns undefined when `act` throws. */
async function inTrouble<T>(
  { noteFailure }: RoundParts,
  payers: PayerFilter,
  act: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    noteFailure(error, namesOf(payers));
    return undefined;
  }
}

/** What the log may say of payers: never the person. */
function namesOf({ organisationIdentifier, applicationId }: PayerFilter): About {
  return {
    ...(organisationIdentifier !== undefined && { organisationIdentifier }),
    ...(applicationId !== undefined && { applicationId }),
  };
}

/**
 * Ends the waiting payments of a payer. Auth has the last word about a request: a payment that the PSU approved before the
 * ending is executed, even if this database is older than the approval. While auth was ending one request after the other,
 * the PSU may have allowed payments again, so auth is asked again before the remaining payments end.
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

/** Attaches the requests that auth has for this payer's payments and that are not known here. */
async function attachKnownOf(parts: PaymentConsentParts, payer: Payer, act: PaymentAct): Promise<void> {
  const { store, authority } = parts;
  const unasked = await store.findUnasked(payer);
  for (let from = 0; from < unasked.length; from += MOST_NAMED_SIGNINGS) {
    const known = await authority.findKnown(unasked.slice(from, from + MOST_NAMED_SIGNINGS));
    for (const each of known) await keepKnown(parts, each, act);
  }
}
