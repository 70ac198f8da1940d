import type { RecordKey } from "../ephemeral/ephemeral-store.ts";

/** What came of using something: `again` for the user who had used it before, `used` for every other one after the first. */
export type Use = "first" | "again" | "used";

/** By whom it is used, where the same one may come again; and how long what is used could still be presented. */
export interface UseTerms {
  readonly by?: string;
  readonly lifetimeSeconds: number;
}

/**
 * Marks of what is good once, such as an assertion. A mark that is lost makes it good again: they are never where something may
 * be lost (ephemeral), and no store of that kind can be given in their place.
 */
export interface UsedMarks {
  /** Uses something: `first` for exactly one of any number of callers, in any process, until its time is over. */
  use(key: RecordKey, terms: UseTerms): Promise<Use>;
}
