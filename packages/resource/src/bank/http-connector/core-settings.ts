import type { CurrentIdentity } from "@cobs/service-edge";

/** How the core system is reached, and how much of it is asked at once. */
export interface CoreSettings {
  /** https; the paths of the contract follow it. */
  readonly url: URL;
  /** PEM of the authority that must have certified the core system. */
  readonly authority: string;
  /** What this service shows of itself. */
  readonly identity: CurrentIdentity;
  /** For the whole of a call: waiting for its turn, every try, and the last octet of the answer. */
  readonly timeoutMilliseconds: number;
  /** Calls under way at once; as many connections are opened at most. */
  readonly callsAtOnce: number;
}

/** What the time limit may be, in milliseconds. */
export const CORE_TIMEOUT_BOUNDS = [100, 30_000] as const;
