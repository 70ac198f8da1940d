import type { RecordKey } from "../ephemeral/ephemeral-store.ts";

/** Result of using something: `again` for the user that used it first, `used` for any other user after the first. */
export type Use = "first" | "again" | "used";

/** `by` identifies a user that may use it again; `lifetimeSeconds` is how long it could still be presented. */
export interface UseTerms {
  readonly by?: string;
  readonly lifetimeSeconds: number;
}

/**
 * Marks of things that are good for one use, such as an assertion. A lost mark would make one good again, so they are
 * never in an ephemeral store, and the types admit none in their place.
 */
export interface UsedMarks {
  /** Uses something: `first` for exactly one of any number of callers, in any process, until its lifetime ends. */
  use(key: RecordKey, terms: UseTerms): Promise<Use>;
}
