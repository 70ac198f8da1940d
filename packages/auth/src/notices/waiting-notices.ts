import type { Language, PsuId } from "@cobs/cobs-model";

/** How long the delivery of a notice is tried: over a weekend. */
export const NOTICE_LIFETIME_MILLISECONDS = 72 * 3_600_000;

/** A notice that a process has taken to deliver. */
export interface WaitingNotice {
  /** The same id at each try. */
  readonly id: string;
  readonly psu: PsuId;
  readonly kind: string;
  readonly language: Language;
  readonly text: string;
  readonly requestId: string;
  readonly occurredAt: Date;
  /** Number of tries, including this one. */
  readonly tries: number;
}

/** Notices as the delivering job sees them, the same for every process. The audit log records what becomes of each. */
export interface WaitingNotices {
  /** Takes some that are due, each for one process. A notice that is not ended is due again after a pause that grows. */
  take(now: Date, most: number): Promise<readonly WaitingNotice[]>;
  /** Records that the notice is on its way; of any number of callers, only the first gets true. */
  end(notice: WaitingNotice): Promise<boolean>;
  /** Records that the notice's time is over and nobody was told; true as for `end`. */
  giveUp(notice: WaitingNotice): Promise<boolean>;
}
