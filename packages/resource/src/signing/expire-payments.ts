import {
  type Clock,
  type CountJob,
  isDatabaseUnavailable,
  type ListBatch,
  type Log,
  PrivateServiceUnavailable,
  type Repeated,
  startListBatches,
} from "@cobs/service-edge";
import type { OverdueBatch, OverdueCursor, OverduePayment } from "../payments/overdue-payments.ts";
import type { PaymentId } from "../payments/payment-ids.ts";
import type { PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import { keepKnown } from "./keep-known.ts";
import type { QueuedRequests } from "./queue-requests.ts";
import { type KnownSigning, MOST_NAMED_SIGNINGS, type SigningAuthority } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";

/** Dependencies of the expiry of payments. */
export interface ExpiryParts {
  readonly store: Pick<PaymentStore, "findOverdue" | "attachKnown" | "expireUnsigned">;
  readonly authority: Pick<SigningAuthority, "findKnown">;
  readonly queued: Pick<QueuedRequests, "put">;
  readonly clock: Clock;
  readonly log: Log;
  readonly countJob?: CountJob;
}

const EXPIRY = { failure: "payments could not be ended", lookMilliseconds: 1_000, busyMilliseconds: 0 };

/**
 * Where to go on among the payments that were never sent to auth, and among those that auth has ended; a group without a
 * cursor is finished.
 */
export type ExpiryCursors = Partial<Record<OverduePayment["signing"], OverdueCursor>>;

/**
 * Expires payments that nobody has approved in time, within about a second, until it is stopped. A payment that cannot be
 * expired does not hold up others. Before a payment that was never sent to auth expires, auth is asked about it, with many
 * payments in one question: this database may be older than the PSU's approval. These payments wait while auth is
 * unreachable; payments that auth has ended do not. No decision depends on this job: once its time is over, a payment can no
 * longer be sent for approval.
 */
export function startExpiringPayments(parts: ExpiryParts): Repeated {
  const { log, countJob } = parts;
  return startListBatches((after: ExpiryCursors | undefined) => expireBatch(parts, after), {
    ...EXPIRY,
    log,
    again: countJob?.("payments_expiry"),
  });
}

/** Handles one batch of each group, after its cursor. */
export async function expireBatch(
  parts: ExpiryParts,
  after: ExpiryCursors | undefined,
): Promise<ListBatch<ExpiryCursors>> {
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
  readonly after: ExpiryCursors | undefined;
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

/**
 * Expires the payments for which auth has no request. If auth's answer about a payment cannot be believed, the payment stays
 * and does not hold up those behind it.
 */
async function expireOpen(
  parts: ExpiryParts,
  { overdue: open, last }: OverdueBatch,
  act: PaymentAct,
): Promise<ListBatch<OverdueCursor>> {
  if (open.length === 0) return { failures: [], last };
  const answer = await findKnown(parts, open);
  // Starts again from the front after a pause: until auth is back, each question would wait for it.
  if (answer === "away") return { failures: [], last: undefined };
  if ("refusal" in answer) return { failures: [answer.refusal], last };
  const { known } = answer;
  const { failures } = await parts.store.expireUnsigned(without(open, known), act);
  return { failures: [...failures, ...(await attachAll(parts, known, act))], last };
}

/** Finds which payments auth has a request for. That auth is unreachable is logged elsewhere. */
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

/**
 * Attaches the requests that auth has and queues them, so that their outcome is taken at once. Returns why some could not be
 * attached.
 */
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
