import type { CurrentIdentity } from "@cobs/service-edge";

/** How to reach the core system, and how many questions at once. */
export interface CoreSettings {
  /** Base of the contract's paths; https. */
  readonly url: URL;
  /** PEM of the authority that must have certified the core system. */
  readonly authority: string;
  /** Certificate and key of this service. */
  readonly identity: CurrentIdentity;
  /** Limit of a whole call: waiting for its turn, every try, and the last octet of the answer. */
  readonly timeoutMilliseconds: number;
  /** Most calls under way at once; also the most connections. */
  readonly callsAtOnce: number;
}

/** Whether a URL has nothing after its path, where the paths of the contract are appended, and no credentials. */
export function isBaseUrl({ search, hash, username, password }: URL): boolean {
  return `${search}${hash}${username}${password}` === "";
}

/** Bounds of the time limit, in milliseconds. */
export const CORE_TIMEOUT_BOUNDS = [100, 30_000] as const;
