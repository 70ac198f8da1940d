import type { Queries } from "@cobs/service-edge";

/**
 * The name of a time in which Redis has lost nothing of what was written to it. What is kept there is of one epoch, and in
 * the next one it is as if it never was: an old copy that came back, or a replica that took over before it had everything,
 * revives nothing. PostgreSQL knows which epoch it is; where Redis disagrees, a new one begins.
 */
export interface EphemeralEpochs {
  /** The epoch that it is, as far as this process knows. */
  current(): Promise<string>;
  /**
   * Lets another epoch begin in the place of `former`, after `begin` has prepared Redis for it, and gives its name. What
   * `begin` writes is in the transaction of the change. Of any number of callers, in any process, one does that; the others get
   * the epoch that it has made.
   */
  replace(former: string, begin: BeginEpoch): Promise<string>;
}

/** What is done before an epoch begins; when it fails, none begins. */
export type BeginEpoch = (next: string, queries: Queries) => Promise<void>;
