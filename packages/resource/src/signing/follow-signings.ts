import { type Clock, type CountJob, type Repeated, repeat } from "@cobs/service-edge";
import type { OpenRequest, PaymentStore } from "../payments/payment-store.ts";
import { type NoteFailure, tellUntold } from "./failures-of-round.ts";
import type { QueuedRequests } from "./queue-requests.ts";
import type { SigningAuthority } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";
import { type ReportParts, takeReport } from "./take-report.ts";

/** Dependencies of following PSUs' decisions. */
export interface FollowingParts extends ReportParts {
  readonly store: ReportParts["store"] & Pick<PaymentStore, "dueForLookUp">;
  readonly authority: Pick<SigningAuthority, "find" | "cancel">;
  readonly queued: QueuedRequests;
  readonly clock: Clock;
  readonly countJob?: CountJob;
}

/** Dependencies of one round, and the signal that stops it. */
interface RoundParts extends FollowingParts {
  readonly signal: AbortSignal;
  readonly noteFailure: NoteFailure;
}

const FAILURE = "the decision of a PSU could not be fetched from auth";
const WAIT_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 500;
const SWEEP_MILLISECONDS = 2_000;
const SWEEP_LIMIT = 50;
/** After this long without a look-up, a request is looked up as if auth had reported it. */
const LOOK_UP_MILLISECONDS = 30_000;

/**
 * Takes what PSUs decide as soon as auth reports it, until it is stopped. If a report was missed, because no process ran or
 * an answer was lost, a sweep over the payments that were sent to auth finds the decision, so that each of them ends at some
 * point. Stopping waits for at most one question of each job, because auth may be silent.
 */
export function followSignings(parts: FollowingParts): Repeated {
  const { countJob = () => repeat } = parts;
  const start = (name: string, round: (parts: RoundParts) => Promise<number>) => {
    const { gather, fail } = tellUntold(parts.log, FAILURE, RETRY_MILLISECONDS);
    return countJob(name)(
      (signal) => gather((noteFailure) => round({ ...parts, signal, noteFailure })),
      fail,
    );
  };
  const taking = start("signings_taking", takeQueued);
  const sweeping = start("signings_sweeping", sweep);
  return {
    stop: async () => {
      await Promise.all([taking.stop(), sweeping.stop()]);
    },
  };
}

/**
 * Looks up all queued requests. A request stays queued if auth or the database could not be reached; if auth's answer is not
 * believed, the request is left to the sweep.
 */
async function takeQueued(parts: RoundParts): Promise<number> {
  await parts.queued.wait(WAIT_MILLISECONDS, parts.signal);
  let pause = 0;
  for (const requestId of parts.queued.takeAll()) {
    // The sweep of another process, or of a later one, finds the others.
    if (parts.signal.aborted) break;
    const error = await lookUp(parts, { requestId, isOverdue: false });
    if (error === undefined || error instanceof SigningRefusal) continue;
    parts.queued.put(requestId);
    pause = RETRY_MILLISECONDS;
  }
  return pause;
}

async function sweep(parts: RoundParts): Promise<number> {
  const terms = { limit: SWEEP_LIMIT, leaseMilliseconds: LOOK_UP_MILLISECONDS };
  const due = await parts.store.dueForLookUp(terms, { now: parts.clock.now(), requestId: undefined });
  for (const request of due) if (!parts.signal.aborted) await lookUp(parts, request);
  return due.length === SWEEP_LIMIT ? 0 : SWEEP_MILLISECONDS;
}

/** Takes the outcome of one request, and returns the error if that failed; a failed request does not hold up others. */
async function lookUp(
  parts: RoundParts,
  { requestId, isOverdue }: Pick<OpenRequest, "requestId" | "isOverdue">,
): Promise<unknown> {
  const { authority, clock } = parts;
  try {
    // Auth has the last word, even about a request whose time is over: an approval given in time may still be on its way.
    const report = await (isOverdue ? authority.cancel(requestId) : authority.find(requestId));
    await takeReport(parts, { requestId, report }, { now: clock.now(), requestId: undefined });
    return undefined;
  } catch (error) {
    parts.noteFailure(error, { signing: requestId });
    return error;
  }
}
