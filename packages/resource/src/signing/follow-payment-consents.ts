import { type Clock, type CountJob, type Repeated, repeat } from "@cobs/service-edge";
import type { EndedWaiting } from "../payments/ended-waiting.ts";
import type { PaymentId, SigningRequestId } from "../payments/payment-ids.ts";
import type { Payer, PayerFilter, PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import { type About, isUnreachable, type NoteFailure, tellUntold } from "./failures-of-round.ts";
import { keepKnown } from "./keep-known.ts";
import { createPayerTurns, type PayerTurns, type WaitingPayer } from "./payer-turns.ts";
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
 * about whom auth gives no answer does not hold up others, and is asked about again separately; nor does one with very many
 * waiting payments hold up those of other TPPs. Stopping waits for some payments of one payer.
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
 * Handles all queued payers and the troubled ones that are due, also those that come meanwhile. Payers are queued again if
 * their payments could not be read, or if there was no room to keep those without an answer.
 */
async function endQueued(parts: RoundParts, troubled: TroubledPayers): Promise<number> {
  await parts.payers.wait(WAIT_MILLISECONDS, parts.signal);
  const round = { troubled, turns: createPayerTurns(), again: new Set<PayerFilter>() };
  await findAll(parts, round);
  for (let turn = round.turns.take(); turn.length > 0; turn = round.turns.take()) {
    for (const each of turn) {
      if (parts.signal.aborted) return 0;
      await endPortion(parts, round, each);
    }
    await findAll(parts, round);
  }
  for (const payers of round.again) parts.payers.put(payers);
  return round.again.size > 0 ? RETRY_MILLISECONDS : 0;
}

/** The payers of a round, and those who are to be queued again at its end. */
interface PayersOfRound {
  readonly troubled: TroubledPayers;
  readonly turns: PayerTurns;
  readonly again: Set<PayerFilter>;
}

/** Gives a turn to each payer with waiting payments among those who are queued, or troubled and due. */
async function findAll(parts: RoundParts, { troubled, turns, again }: PayersOfRound): Promise<void> {
  for (const of of parts.payers.takeAll()) {
    if (parts.signal.aborted) return;
    if ((await giveTurns(parts, turns, of)) === undefined) again.add(of);
  }
  for (const of of troubled.takeDue()) {
    if (parts.signal.aborted) return;
    if ((await giveTurns(parts, turns, of)) === 0) troubled.remove(of);
  }
}

/** Returns how many payers got a turn; undefined when they could not be read. */
async function giveTurns(parts: RoundParts, turns: PayerTurns, of: PayerFilter): Promise<number | undefined> {
  const waiting = await inTrouble(parts, of, () => parts.store.waitingPayers(of));
  for (const payer of waiting ?? []) turns.add({ payer, of });
  return waiting?.length;
}

/** Ends some payments of a payer, who gets another turn if more may follow. */
async function endPortion(
  parts: RoundParts,
  { troubled, turns, again }: PayersOfRound,
  waiting: WaitingPayer,
): Promise<void> {
  const { payer, of } = waiting;
  const portion = await inTrouble(parts, payer, () => endIfOver(parts, waiting));
  const hasFailed = waiting.hasFailed === true || portion?.hasFailed !== false;
  if (!hasFailed) troubled.remove(payer);
  else if (!troubled.add(payer)) again.add(of);
  if (portion?.last !== undefined) turns.add({ payer, of, after: portion.last, hasFailed });
}

/** What has become of some waiting payments of a payer. */
interface Portion extends Pick<EndedWaiting, "last"> {
  /** Whether some of them are to be asked about again. */
  readonly hasFailed: boolean;
}

async function endIfOver(parts: RoundParts, waiting: WaitingPayer): Promise<Portion> {
  if (await parts.authority.hasConsentEnded(waiting.payer)) return endPaymentsOf(parts, waiting);
  return { hasFailed: false };
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
 * Ends some waiting payments of a payer. Auth has the last word about a request: a payment that the PSU approved before the
 * ending is executed, even if this database is older than the approval. While auth was ending one request after the other,
 * the PSU may have allowed payments again, so auth is asked again before the remaining payments end.
 */
async function endPaymentsOf(parts: RoundParts, waiting: WaitingPayer): Promise<Portion> {
  const { store, authority, clock } = parts;
  const { payer, after } = waiting;
  const act = { now: clock.now(), requestId: undefined };
  const until = await attachKnownOf(parts, waiting, act);
  const { asked, last } = await store.endWaiting(payer, act, { after, until, limit: MOST_NAMED_SIGNINGS });
  let hasFailed = false;
  for (const requestId of asked)
    if (!(await cancelAtAuth(parts, { payer, requestId }, act))) hasFailed = true;
  if (asked.length > 0 && (await authority.hasConsentEnded(payer)))
    await store.endWaiting(payer, act, { after, until: last });
  return { hasFailed, ...(last !== undefined && { last }) };
}

/** Notes a failure with this request, which must not hold up the payer's other payments, and then returns false. */
async function cancelAtAuth(
  parts: RoundParts,
  { payer, requestId }: { readonly payer: Payer; readonly requestId: SigningRequestId },
  act: PaymentAct,
): Promise<boolean> {
  try {
    await takeReport(parts, { requestId, report: await parts.authority.cancel(requestId) }, act);
    return true;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    parts.noteFailure(error, namesOf(payer));
    return false;
  }
}

/**
 * Attaches the requests that auth has for payments of a payer and that are not known here. Returns the last payment up to
 * which this was done; undefined when it was done for all.
 */
async function attachKnownOf(
  { store, authority, ...parts }: PaymentConsentParts,
  { payer, after }: WaitingPayer,
  act: PaymentAct,
): Promise<PaymentId | undefined> {
  const unasked = await store.findUnasked(payer, { after, limit: MOST_NAMED_SIGNINGS });
  const known = unasked.length === 0 ? [] : await authority.findKnown(unasked);
  for (const each of known) await keepKnown({ ...parts, store }, each, act);
  return unasked.length < MOST_NAMED_SIGNINGS ? undefined : unasked.at(-1)?.paymentId;
}
