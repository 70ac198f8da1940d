import type { PsuId } from "@cobs/cobs-model";
import type { OperatorAct } from "../audit/act.ts";

/** One block of a PSU, past or present. */
export interface PsuBlock {
  readonly psu: PsuId;
  readonly reason: string;
  readonly blockedBy: string;
  readonly blockedAt: Date;
  /** Undefined while it is in force. */
  readonly released: { readonly by: string; readonly at: Date } | undefined;
}

/** A block that is ordered. */
export interface NewPsuBlock {
  readonly psu: PsuId;
  /** For the bank alone; no PSU and no TPP reads it. */
  readonly reason: string;
}

/** What became of an order to block: of any number at once for one PSU, exactly one is `blocked`. */
export type PsuBlockOutcome =
  | { readonly result: "blocked"; readonly block: PsuBlock; readonly endedConsents: number }
  | { readonly result: "already_blocked"; readonly block: PsuBlock };

/** A PSU who was authenticated at some time, and now wants to go on. */
export interface AuthenticatedPsu {
  readonly psu: PsuId;
  readonly authenticatedAt: Date;
}

/**
 * PSUs that the bank has blocked (fraud, death, closed relation), durable, in force for every process from the moment that
 * a block is stored. With the block everything ends that the PSU ever allowed, in one transaction, which the event feed
 * tells with one event for all. Of whatever runs at the same time, nothing outlives it: a sign-in from before a block counts
 * for nothing any more, also after the release, and a consent is stored before the block, and ends with it, or not at all.
 * Nothing is deleted here: once released, a block is kept for years (`records`).
 */
export interface PsuBlocks {
  /** Blocks from this moment on; a PSU who is blocked already keeps that block, with the former reason. */
  block(order: NewPsuBlock, act: OperatorAct): Promise<PsuBlockOutcome>;
  /** Ends the block and gives it: the PSU may sign in again, and nothing that has ended comes back. Undefined without one. */
  release(psu: PsuId, act: OperatorAct): Promise<PsuBlock | undefined>;
  /** Whether an authentication counts: the PSU is not blocked, and was not at any time since. Never cached. */
  admits(authenticated: AuthenticatedPsu): Promise<boolean>;
  /** Past and present blocks of a PSU, newest first, at most 100. */
  history(psu: PsuId): Promise<readonly PsuBlock[]>;
}
