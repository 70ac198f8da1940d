import { type Clock, type Log, type Repeat, type Repeated, repeat, tellFailure } from "@cobs/service-edge";
import { type Deliver, DeliveryFailed } from "../delivery/deliver.ts";
import { NOTICE_LIFETIME_MILLISECONDS, type WaitingNotice, type WaitingNotices } from "./waiting-notices.ts";

/** Notices delivered at once: a delivery that hangs holds up no more than these. */
const BATCH = 10;
const LOOK_MILLISECONDS = 1_000;

/** What notices are delivered with. */
export interface TellingParts {
  readonly notices: WaitingNotices;
  readonly deliver: Deliver;
  /** Called for each notice that was given up. */
  readonly gaveUp: () => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly again?: Repeat;
}

/**
 * Delivers notices until it is stopped, within about a second if the delivery takes them. A notice that is not taken is tried
 * again under the same id, perhaps by another process, until its time is over; the next try then gives it up.
 */
export function startTelling(parts: TellingParts): Repeated {
  const { log, again = repeat } = parts;
  const fail = tellFailure(log, "notices to PSUs could not be delivered", LOOK_MILLISECONDS);
  return again(() => tellRound(parts), fail);
}

async function tellRound(parts: TellingParts): Promise<number> {
  const { notices, clock } = parts;
  const now = clock.now();
  const due = await notices.take(now, BATCH);
  const ended = await Promise.allSettled(
    due.map((notice) => (isOver(notice, now) ? giveUp(parts, notice) : tell(parts, notice))),
  );
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return due.length < BATCH ? LOOK_MILLISECONDS : 0;
}

const endOf = ({ occurredAt }: WaitingNotice) =>
  new Date(occurredAt.getTime() + NOTICE_LIFETIME_MILLISECONDS);

const isOver = (notice: WaitingNotice, now: Date) => endOf(notice) <= now;

async function tell({ notices, deliver }: TellingParts, notice: WaitingNotice): Promise<void> {
  const { id, psu, language, text, requestId } = notice;
  try {
    await deliver({ id, psu, language, text, purpose: "notice", requestId, expiresAt: endOf(notice) });
  } catch (error) {
    // The notice is due again; the delivery has logged why.
    if (error instanceof DeliveryFailed) return;
    throw error;
  }
  await notices.end(notice);
}

async function giveUp({ notices, gaveUp, log }: TellingParts, notice: WaitingNotice): Promise<void> {
  const { id, kind, requestId } = notice;
  if (!(await notices.giveUp(notice))) return;
  gaveUp();
  log.error({ delivery: id, change: kind, requestId }, "a PSU could not be notified of a change");
}
