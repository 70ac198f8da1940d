import type { AccountId } from "@cobs/cobs-model";
import type { ConsentId } from "../introspection/token-introspection.ts";

/** The subject of an access: calls for the same three belong to one access, whatever page or dates they ask for. */
export interface AccessSubject {
  readonly consentId: ConsentId;
  readonly account: AccountId;
  readonly resource: "balance" | "transactions";
}

/** A running access: it began less than fifteen minutes ago, and every call belongs to it. */
export interface RunningAccess {
  readonly kind: "running";
  /** Milliseconds until it is over, counted from the answer of the store. */
  readonly remainingMilliseconds: number;
}

/** No access runs, and as many as allowed began within the last 24 hours. */
export interface ExhaustedAccesses {
  readonly kind: "exhausted";
  /** When the next one may begin, by the store's clock. */
  readonly continuesAt: Date;
  /** Milliseconds until then, counted from the answer of the store. */
  readonly remainingMilliseconds: number;
}

/** No access runs, and one may begin. */
export interface NoAccess {
  readonly kind: "open";
}

/**
 * Counts accesses in one place for all processes, by the clock of that place alone.
 *
 * An access lasts fifteen minutes from its beginning. At most `limit` accesses begin within any 24 hours, which are not
 * calendar days. Any number of callers may count at once: one of them begins the access, and the others belong to it. A count
 * outlives the process, and is forgotten 24 hours after the last beginning, when it no longer decides anything. Rejects when
 * the store does not answer; it is then unknown whether something was counted.
 */
export interface AccessCounts {
  /** Finds the current state without counting. */
  look(subject: AccessSubject, limit: number): Promise<RunningAccess | ExhaustedAccesses | NoAccess>;
  /** Begins an access if none runs and one may begin; gives the access that runs then, or the exhausted limit. */
  count(subject: AccessSubject, limit: number): Promise<RunningAccess | ExhaustedAccesses>;
  /** Deletes some rows that no longer decide anything; returns how many, fewer than `batch` when none are left. */
  forgetOld(batch: number): Promise<number>;
}
