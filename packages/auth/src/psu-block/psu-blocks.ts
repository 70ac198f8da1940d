import type { PsuId } from "@cobs/cobs-model";
import type { OperatorAct } from "../audit/act.ts";

/** One block of a PSU, past or present. */
export interface PsuBlock {
  readonly psu: PsuId;
  readonly reason: string;
  readonly blockedBy: string;
  readonly blockedAt: Date;
  /** Undefined while the block is in force. */
  readonly released: { readonly by: string; readonly at: Date } | undefined;
}

/** An order to block a PSU. */
export interface NewPsuBlock {
  readonly psu: PsuId;
  /** Only for the bank; no PSU or TPP reads it. */
  readonly reason: string;
}

/** What became of an order to block: of any number of concurrent orders for one PSU, exactly one is `blocked`. */
export type PsuBlockOutcome =
  | { readonly result: "blocked"; readonly block: PsuBlock; readonly endedConsents: number }
  | { readonly result: "already_blocked"; readonly block: PsuBlock };

/** A PSU who was authenticated at some time, and now wants to go on. */
export interface AuthenticatedPsu {
  readonly psu: PsuId;
  readonly authenticatedAt: Date;
}

/**
 * PSUs that the bank has blocked (fraud, death, closed relation), durable, and in force for every process from the moment that a
 * block is stored. A block ends everything that the PSU ever allowed, in one transaction; the event feed has one event for all of
 * it. Nothing that runs at the same time outlives the block. A sign-in from before a block no longer counts, even after the
 * release. A consent is stored before the block and ends with it, or is not stored. Nothing is deleted here: once released, a
 * block is kept for years (`records`).
 */
export interface PsuBlocks {
  /** Blocks a PSU from this moment on. A PSU who is already blocked keeps that block, with its reason. */
  block(order: NewPsuBlock, act: OperatorAct): Promise<PsuBlockOutcome>;
  /** Ends the block and returns it: the PSU may sign in again, but nothing that ended comes back. Undefined without a block. */
  release(psu: PsuId, act: OperatorAct): Promise<PsuBlock | undefined>;
  /** Whether an authentication counts: the PSU is not blocked, and was not at any time since. Never cached. */
  admits(authenticated: AuthenticatedPsu): Promise<boolean>;
  /** Past and present blocks of a PSU, newest first, at most 100. */
  history(psu: PsuId): Promise<readonly PsuBlock[]>;
}
