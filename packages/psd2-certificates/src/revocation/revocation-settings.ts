import type { CountCache } from "../count-cache.ts";
import type { RevocationFetch } from "./revocation-fetch.ts";

/**
 * What a call needs to know: `certain` refuses to go on without an answer in its time (registration, pushed requests,
 * code exchange, payment initiation), `known` goes on for the grace with a certificate that was good a moment ago.
 */
export type RevocationDemand = "certain" | "known";

/** What became of one question to one source, or of one call. */
export type RevocationEvent =
  | {
      readonly kind: "answer";
      readonly source: "ocsp" | "crl";
      readonly outcome: "good" | "revoked" | "unknown" | "failed";
      readonly detail: string;
    }
  | { readonly kind: "decision"; readonly decision: "good" | "revoked" | "grace" | "unavailable" };

/** How revocation is asked. */
export interface RevocationSettings {
  readonly fetch: RevocationFetch;
  /** Never goes backwards, in milliseconds: how old an answer is. Whether it is in its time is for the wall clock. */
  readonly monotonicMilliseconds: () => number;
  /** How long a good answer serves, and no longer than its own nextUpdate. */
  readonly cacheSeconds: number;
  /** How long beyond that a certificate that was good goes on when every source is silent, unless a call is `certain`. */
  readonly graceSeconds: number;
  readonly onEvent?: (event: RevocationEvent) => void;
  /** Told of the look-ups in `revocation_answers` and in `revocation_lists`. */
  readonly countCache?: CountCache | undefined;
}
