import type { AccountId } from "@cobs/cobs-model";
import type { ConsentId } from "../introspection/token-introspection.ts";

/** What an access is of: calls for the same three are one access, whatever page or dates they ask for. */
export interface AccessSubject {
  readonly consentId: ConsentId;
  readonly account: AccountId;
  readonly resource: "balance" | "transactions";
}

/** An access runs: it began less than fifteen minutes ago, and every call belongs to it. */
export interface RunningAccess {
  readonly kind: "running";
  /** Until it is over, counted from the answer of the store. */
  readonly remainingMilliseconds: number;
}

/** None runs, and as many as are allowed began within the last 24 hours. */
export interface ExhaustedAccesses {
  readonly kind: "exhausted";
  /** When the next one may begin, by the store's clock. */
  readonly continuesAt: Date;
  /** Until then, counted from the answer of the store. */
  readonly remainingMilliseconds: number;
}

/** None runs, and one may begin. */
export interface NoAccess {
  readonly kind: "open";
}

/**
 * Counts accesses in one place for all processes; time is that place's alone.
 *
 * An access lasts fifteen minutes from its beginning. At most `limit` begin within any 24 hours, hours and not days of a
 * calendar. Any number of callers may count at once: one of them begins the access, and the others belong to it. What was
 * counted outlives the process and is forgotten 24 hours after the last beginning, when it decides nothing any more.
 * Rejects when the store does not answer; whether something was counted is then unknown.
 */
export interface AccessCounts {
  /** How it stands, counting nothing. */
  look(subject: AccessSubject, limit: number): Promise<RunningAccess | ExhaustedAccesses | NoAccess>;
  /** Begins an access where none runs and one may; gives the one that runs then. */
  count(subject: AccessSubject, limit: number): Promise<RunningAccess | ExhaustedAccesses>;
  /** Deletes some of what decides nothing any more; gives how many, fewer than a whole batch when no more is left. */
  forgetOld(batch: number): Promise<number>;
}
