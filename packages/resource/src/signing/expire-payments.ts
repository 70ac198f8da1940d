import {
  type Clock,
  isDatabaseUnavailable,
  type JobParts,
  type PlacedBatch,
  PrivateServiceUnavailable,
  type Repeated,
  startPlacedBatches,
} from "@cobs/service-edge";
import type { PaymentId } from "../payments/payment-ids.ts";
import type { OverduePayment, OverduePlace, PaymentAct, PaymentStore } from "../payments/payment-store.ts";
import type { QueuedRequests } from "./queue-requests.ts";
import { type KnownSigning, MOST_NAMED_SIGNINGS, type SigningAuthority } from "./signing-authority.ts";

/** What ending payments with their time takes. */
export interface ExpiryParts extends JobParts {
  readonly store: Pick<PaymentStore, "findOverdue" | "attachKnown" | "expireUnsigned">;
  readonly authority: Pick<SigningAuthority, "findKnown">;
  readonly queued: Pick<QueuedRequests, "put">;
  readonly clock: Clock;
}

const EXPIRY = { failure: "payments could not be ended", lookMilliseconds: 1_000, busyMilliseconds: 0 };

/**
 * Writes the end of payments that nobody has approved in time, within a second or so, until it is stopped; those that cannot be
 * ended do not keep others from it. One that was never sent to auth is asked about there before, many in one question: this
 * database may be older than what its PSU has approved. While auth is away it waits. No decision depends on it: nobody can have
 * such a payment approved, whoever asks for it.
 */
export function startExpiringPayments(parts: ExpiryParts): Repeated {
  const { log, again } = parts;
  return startPlacedBatches((after: OverduePlace | undefined) => expireBatch(parts, after), {
    ...EXPIRY,
    log,
    again,
  });
}

/** One batch of them, behind a place. */
export async function expireBatch(
  parts: ExpiryParts,
  after: OverduePlace | undefined,
): Promise<PlacedBatch<OverduePlace>> {
  const { store, clock } = parts;
  const by = { now: clock.now(), requestId: undefined };
  const { overdue, last } = await store.findOverdue(MOST_NAMED_SIGNINGS, by, after);
  const open = overdue.filter(({ signing }) => signing === "open");
  const over = overdue.filter(({ signing }) => signing === "ended");
  const known = open.length === 0 ? [] : await findKnown(parts, open);
  const unknown = known === undefined ? [] : without(open, known);
  const { failures } = await store.expireUnsigned([...over, ...unknown], by);
  // From the front again, after a pause: each question would wait for the auth that is away.
  if (known === undefined) return { failures, last: undefined };
  return { failures: [...failures, ...(await attachAll(parts, { open, known }, by))], last };
}

/** Undefined when auth is away, which is told by others. */
async function findKnown(
  { authority }: ExpiryParts,
  open: readonly OverduePayment[],
): Promise<readonly KnownSigning[] | undefined> {
  try {
    return await authority.findKnown(open);
  } catch (error) {
    if (error instanceof PrivateServiceUnavailable) return undefined;
    throw error;
  }
}

function without(open: readonly OverduePayment[], known: readonly KnownSigning[]): readonly OverduePayment[] {
  const ids: ReadonlySet<PaymentId> = new Set(known.map(({ paymentId }) => paymentId));
  return open.filter(({ paymentId }) => !ids.has(paymentId));
}

interface FoundSignings {
  readonly open: readonly OverduePayment[];
  readonly known: readonly KnownSigning[];
}

/** What became of those that auth has is taken at once; gives why some of them could not be kept. */
async function attachAll(
  { store, queued, log }: ExpiryParts,
  { open, known }: FoundSignings,
  by: PaymentAct,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const { paymentId, requestId } of known) {
    const payment = open.find((each) => each.paymentId === paymentId);
    if (payment === undefined) continue;
    try {
      if (!(await store.attachKnown(payment, requestId, by))) continue;
      log.info({ paymentId, signing: requestId }, "auth has an order of which nothing was known here");
      queued.put(requestId);
    } catch (error) {
      failures.push(error);
      if (isDatabaseUnavailable(error)) break;
    }
  }
  return failures;
}
