import type { Language, PsuId } from "@cobs/cobs-model";

/** How long delivering a notice is tried: over a weekend. */
export const NOTICE_LIFETIME_MILLISECONDS = 72 * 3_600_000;

/** A notice that a process has taken to deliver it. */
export interface WaitingNotice {
  /** The same at each try. */
  readonly id: string;
  readonly psu: PsuId;
  readonly kind: string;
  readonly language: Language;
  readonly text: string;
  readonly requestId: string;
  readonly occurredAt: Date;
  /** This one included. */
  readonly tries: number;
}

/** Notices as whoever delivers them sees them, the same for every process. What becomes of one is in the audit log. */
export interface WaitingNotices {
  /** Some that are due, each for one process; one that does not end here is due again after a pause that grows. */
  take(now: Date, most: number): Promise<readonly WaitingNotice[]>;
  /** It is on its way; of any number of callers the first is recorded, and is told true. */
  end(notice: WaitingNotice): Promise<boolean>;
  /** Its time is over, and nobody was told; as `end`. */
  giveUp(notice: WaitingNotice): Promise<boolean>;
}
