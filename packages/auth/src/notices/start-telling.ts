import {
  type Clock,
  isDatabaseUnavailable,
  type Log,
  type Repeat,
  type Repeated,
  repeat,
} from "@cobs/service-edge";
import { type Deliver, DeliveryFailed } from "../signing/deliver.ts";
import { NOTICE_LIFETIME_MILLISECONDS, type WaitingNotice, type WaitingNotices } from "./waiting-notices.ts";

/** So many are on their way at once: a delivery that hangs holds up no more. */
const BATCH = 10;
const FORGETTING_BATCH = 500;
const LOOK_MILLISECONDS = 1_000;

/** What notices are delivered with. */
export interface TellingParts {
  readonly notices: WaitingNotices;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly log: Log;
  readonly again?: Repeat;
}

/**
 * Delivers notices, within a second or so where the delivery takes them, until it is stopped. What it does not take is tried
 * again under the same id, also by another process, until the time of the notice is over.
 */
export function startTelling(parts: TellingParts): Repeated {
  const { log, again = repeat } = parts;
  const fail = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) log.error({ error }, "notices to PSUs could not be delivered");
    return LOOK_MILLISECONDS;
  };
  return again(() => tellRound(parts), fail);
}

async function tellRound(parts: TellingParts): Promise<number> {
  const { notices, clock, log } = parts;
  const lost = await notices.giveUp(clock.now(), BATCH);
  for (const { id, kind, requestId } of lost)
    log.error({ delivery: id, change: kind, requestId }, "a PSU could not be told of a change");
  const due = await notices.take(clock.now(), BATCH);
  const told = await Promise.allSettled(due.map((notice) => tell(parts, notice)));
  for (const each of told) if (each.status === "rejected") throw each.reason;
  await notices.forget(clock.now(), FORGETTING_BATCH);
  return due.length < BATCH && lost.length < BATCH ? LOOK_MILLISECONDS : 0;
}

async function tell({ notices, deliver }: TellingParts, notice: WaitingNotice): Promise<void> {
  const { id, psu, language, text, requestId, occurredAt } = notice;
  const expiresAt = new Date(occurredAt.getTime() + NOTICE_LIFETIME_MILLISECONDS);
  try {
    await deliver({ id, psu, language, text, purpose: "notice", requestId, expiresAt });
  } catch (error) {
    // It is due again; whoever delivers has said why.
    if (error instanceof DeliveryFailed) return;
    throw error;
  }
  await notices.end(notice);
}
