import type { Queries } from "@cobs/service-edge";

/**
 * Epochs of Redis. An epoch names a period in which Redis lost nothing that was written to it. Every record belongs to one epoch
 * and does not exist in the next: an old copy that came back, or a replica that took over before it had everything, revives
 * nothing. PostgreSQL holds the current epoch; when Redis disagrees, a new one begins.
 */
export interface EphemeralEpochs {
  /** Returns the current epoch, as far as this process knows. */
  current(): Promise<string>;
  /**
   * Replaces `former` by a new epoch, after `begin` has prepared Redis for it, and returns its name. `begin` writes in the
   * transaction of the change. Of concurrent callers, in any process, one does this; the others get the epoch that it made.
   */
  replace(former: string, begin: BeginEpoch): Promise<string>;
}

/** Prepares an epoch before it begins; when it fails, the epoch does not begin. */
export type BeginEpoch = (next: string, queries: Queries) => Promise<void>;
