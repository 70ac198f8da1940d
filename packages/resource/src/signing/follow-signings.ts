import { type Clock, type CountJob, type Repeated, repeat } from "@cobs/service-edge";
import type { OpenRequest, PaymentStore } from "../payments/payment-store.ts";
import { gatherFailures, type NoteFailure, tellUntold } from "./failures-of-round.ts";
import type { QueuedRequests } from "./queue-requests.ts";
import type { SigningAuthority } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";
import { type ReportParts, takeReport } from "./take-report.ts";

/** What following takes. */
export interface FollowingParts extends ReportParts {
  readonly store: ReportParts["store"] & Pick<PaymentStore, "dueForLookUp">;
  readonly authority: Pick<SigningAuthority, "find" | "cancel">;
  readonly queued: QueuedRequests;
  readonly clock: Clock;
  readonly countJob?: CountJob;
}

/** What one round takes, until it is told to stop. */
interface RoundParts extends FollowingParts {
  readonly signal: AbortSignal;
  readonly noteFailure: NoteFailure;
}

const WAIT_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 500;
const SWEEP_MILLISECONDS = 2_000;
const SWEEP_LIMIT = 50;
/** After so long without a look-up a request is looked up, as if auth had told of it. */
const LOOK_UP_MILLISECONDS = 30_000;

/**
 * Takes what PSUs decide as soon as auth tells of it, until it is stopped. What was missed, because no process ran or an
 * answer was lost, is found by a sweep over the payments of which auth has been asked; each ends that way in the end. Stopping
 * waits for one question of each at most: auth may be silent.
 */
export function followSignings(parts: FollowingParts): Repeated {
  const { countJob = () => repeat } = parts;
  const fail = tellUntold(
    parts.log,
    "the decision of a PSU could not be fetched from auth",
    RETRY_MILLISECONDS,
  );
  const gather = (round: (parts: RoundParts) => Promise<number>) => (signal: AbortSignal) =>
    gatherFailures((noteFailure) => round({ ...parts, signal, noteFailure }), fail);
  const taking = countJob("signings_taking")(gather(takeQueued), fail);
  const sweeping = countJob("signings_sweeping")(gather(sweep), fail);
  return {
    stop: async () => {
      await Promise.all([taking.stop(), sweeping.stop()]);
    },
  };
}

/** What auth or the database could not be asked about stays queued; an answer that is not believed is left to the sweep. */
async function takeQueued(parts: RoundParts): Promise<number> {
  await parts.queued.wait(WAIT_MILLISECONDS, parts.signal);
  let pause = 0;
  for (const requestId of parts.queued.takeAll()) {
    // The sweep of another process, or of the next one, finds the others.
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

/** Takes one, and gives why it could not be taken; one that cannot be taken holds no other up. */
async function lookUp(
  parts: RoundParts,
  { requestId, isOverdue }: Pick<OpenRequest, "requestId" | "isOverdue">,
): Promise<unknown> {
  const { authority, clock } = parts;
  try {
    // Auth's word is the last, also about a request whose time is over: an approval in time may be on its way.
    const report = await (isOverdue ? authority.cancel(requestId) : authority.find(requestId));
    await takeReport(parts, { requestId, report }, { now: clock.now(), requestId: undefined });
    return undefined;
  } catch (error) {
    parts.noteFailure(error);
    return error;
  }
}
