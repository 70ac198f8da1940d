import {
  type Clock,
  type CountJob,
  isDatabaseUnavailable,
  type Log,
  type PlacedBatch,
  PrivateServiceUnavailable,
  type Repeated,
  startPlacedBatches,
} from "@cobs/service-edge";
import type { OverdueBatch, OverduePayment, OverduePlace } from "../payments/overdue-payments.ts";
import type { PaymentId } from "../payments/payment-ids.ts";
import type { PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import { keepKnown } from "./keep-known.ts";
import type { QueuedRequests } from "./queue-requests.ts";
import { type KnownSigning, MOST_NAMED_SIGNINGS, type SigningAuthority } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";

/** What ending payments with their time takes. */
export interface ExpiryParts {
  readonly store: Pick<PaymentStore, "findOverdue" | "attachKnown" | "expireUnsigned">;
  readonly authority: Pick<SigningAuthority, "findKnown">;
  readonly queued: Pick<QueuedRequests, "put">;
  readonly clock: Clock;
  readonly log: Log;
  readonly countJob?: CountJob;
}

const EXPIRY = { failure: "payments could not be ended", lookMilliseconds: 1_000, busyMilliseconds: 0 };

/** Where to go on among those that auth was never asked for and among those that it has ended; one without a place is through. */
export type ExpiryPlaces = Partial<Record<OverduePayment["signing"], OverduePlace>>;

/**
 * Writes the end of payments that nobody has approved in time, within a second or so, until it is stopped; those that cannot be
 * ended do not keep others from it. One that was never sent to auth is asked about there before, many in one question: this
 * database may be older than what its PSU has approved. While auth is away it waits; those that auth has ended do not. No decision
 * depends on it: nobody can have such a payment approved, whoever asks for it.
 */
export function startExpiringPayments(parts: ExpiryParts): Repeated {
  const { log, countJob } = parts;
  return startPlacedBatches((after: ExpiryPlaces | undefined) => expireBatch(parts, after), {
    ...EXPIRY,
    log,
    again: countJob?.("payments_expiry"),
  });
}

/** One batch of each, behind their places. */
export async function expireBatch(
  parts: ExpiryParts,
  after: ExpiryPlaces | undefined,
): Promise<PlacedBatch<ExpiryPlaces>> {
  const act = { now: parts.clock.now(), requestId: undefined };
  const find = (signing: OverduePayment["signing"]) => findSome(parts, { signing, after }, act);
  const ended = await find("ended");
  const { failures } = await parts.store.expireUnsigned(ended.overdue, act);
  const open = await expireOpen(parts, await find("open"), act);
  const last = {
    ...(ended.last !== undefined && { ended: ended.last }),
    ...(open.last !== undefined && { open: open.last }),
  };
  const isThrough = ended.last === undefined && open.last === undefined;
  return { failures: [...failures, ...open.failures], last: isThrough ? undefined : last };
}

interface WantedBatch extends Pick<OverduePayment, "signing"> {
  readonly after: ExpiryPlaces | undefined;
}

async function findSome(
  { store }: ExpiryParts,
  { signing, after }: WantedBatch,
  act: PaymentAct,
): Promise<OverdueBatch> {
  const isThrough = after !== undefined && after[signing] === undefined;
  if (isThrough) return { overdue: [], last: undefined };
  return store.findOverdue({ signing, limit: MOST_NAMED_SIGNINGS, after: after?.[signing] }, act);
}

/** Those that auth does not have end; those of which it says what cannot be believed stay, and do not keep others behind them. */
async function expireOpen(
  parts: ExpiryParts,
  { overdue: open, last }: OverdueBatch,
  act: PaymentAct,
): Promise<PlacedBatch<OverduePlace>> {
  if (open.length === 0) return { failures: [], last };
  const answer = await findKnown(parts, open);
  // From the front again, after a pause: each question would wait for the auth that is away.
  if (answer === "away") return { failures: [], last: undefined };
  if ("refusal" in answer) return { failures: [answer.refusal], last };
  const { known } = answer;
  const { failures } = await parts.store.expireUnsigned(without(open, known), act);
  return { failures: [...failures, ...(await attachAll(parts, known, act))], last };
}

/** That auth is away is told by others. */
async function findKnown(
  { authority }: ExpiryParts,
  open: readonly OverduePayment[],
): Promise<{ readonly known: readonly KnownSigning[] } | { readonly refusal: SigningRefusal } | "away"> {
  try {
    return { known: await authority.findKnown(open) };
  } catch (error) {
    if (error instanceof PrivateServiceUnavailable) return "away";
    if (error instanceof SigningRefusal) return { refusal: error };
    throw error;
  }
}

function without(open: readonly OverduePayment[], known: readonly KnownSigning[]): readonly OverduePayment[] {
  const ids: ReadonlySet<PaymentId> = new Set(known.map(({ paymentId }) => paymentId));
  return open.filter(({ paymentId }) => !ids.has(paymentId));
}

/** What became of those that auth has is taken at once; gives why some of them could not be kept. */
async function attachAll(
  parts: ExpiryParts,
  known: readonly KnownSigning[],
  act: PaymentAct,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const each of known) {
    try {
      if (await keepKnown(parts, each, act)) parts.queued.put(each.requestId);
    } catch (error) {
      failures.push(error);
      if (isDatabaseUnavailable(error)) break;
    }
  }
  return failures;
}
