import type { CountCache } from "../count-cache.ts";
import type { RevocationFetch } from "./revocation-fetch.ts";

/**
 * What a call needs: `certain` refuses to continue without a currently valid answer (registration, pushed requests, code
 * exchange, payment initiation); `known` continues during the grace period with a certificate that was good a moment ago.
 */
export type RevocationDemand = "certain" | "known";

/** The outcome of one question to one source, or of one call. */
export type RevocationEvent =
  | {
      readonly kind: "answer";
      readonly source: "ocsp" | "crl";
      readonly outcome: "good" | "revoked" | "unknown" | "failed";
      readonly detail: string;
    }
  | { readonly kind: "decision"; readonly decision: "good" | "revoked" | "grace" | "unavailable" };

/** How revocation is checked. */
export interface RevocationSettings {
  readonly fetch: RevocationFetch;
  /** Milliseconds that never go backwards, for the age of an answer. The wall clock decides whether it is valid. */
  readonly monotonicMilliseconds: () => number;
  /** How long a good answer serves, but no longer than its own nextUpdate. */
  readonly cacheSeconds: number;
  /** How much longer a certificate that was good is accepted if every source is silent, unless a call is `certain`. */
  readonly graceSeconds: number;
  readonly onEvent?: (event: RevocationEvent) => void;
  /** Counts look-ups in `revocation_answers` and in `revocation_lists`. */
  readonly countCache?: CountCache | undefined;
}
