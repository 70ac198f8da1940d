/** Names one record: its kind, and what its holder presents. */
export interface RecordKey {
  readonly kind: string;
  readonly id: string;
}

/** How a record is found beside by its key, and how long it lives. */
export interface RecordTerms {
  readonly uid: string | undefined;
  readonly lifetimeSeconds: number;
}

/**
 * Sessions, interactions, pushed requests and first answers: losing all of them makes PSUs start again and revives nothing. A
 * mark of what was used is therefore none of them (`provider/used-marks.ts`). The holder's value is never stored, only its
 * SHA-256. An expired record is not found. Where records bear marks, as in Redis, one without a mark of ours is not found
 * either: somebody else wrote it, or we did under another sealing key.
 */
export interface EphemeralStore<Payload> {
  /** Stores a record, or replaces the one with its key; `uid` is a second name to find it by. */
  put(key: RecordKey, payload: Payload, terms: RecordTerms): Promise<void>;
  /**
   * Stores a record under a key that no other one has: true for exactly one of any number of callers, in any process. One
   * without a mark of ours counts too: what was answered first before the sealing key changed stays so.
   */
  putNew(key: RecordKey, payload: Payload, terms: RecordTerms): Promise<boolean>;
  /**
   * Stores a record under a key that has `former`, or nothing, still: of any number of callers who found that, true for one.
   * One without a mark of ours is nothing here, as for who looks for it: it is replaced.
   */
  putInPlaceOf(
    former: Payload | undefined,
    key: RecordKey,
    payload: Payload,
    terms: RecordTerms,
  ): Promise<boolean>;
  /**
   * Stores a new record unless `limit` of its kind and `uid` live already, also when many callers come at once. Those that are
   * stored so are many of one name, and are not found by it.
   */
  putAmong(
    key: RecordKey,
    payload: Payload,
    terms: RecordTerms & { readonly uid: string; readonly limit: number },
  ): Promise<boolean>;
  find(key: RecordKey): Promise<Payload | undefined>;
  /** The record's value is not known to who asks by its second name: it comes back hashed. */
  findByUid(kind: string, uid: string): Promise<Payload | undefined>;
  /** Removes a record that lives: true for exactly one of any number of callers, in any process. */
  take(key: RecordKey): Promise<boolean>;
}

/** Gives the store for one kind of payload; all kinds are in one place. */
export type OpenEphemeralStore = <Payload extends object>() => EphemeralStore<Payload>;
