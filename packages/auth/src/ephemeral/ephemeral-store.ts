/** Names one record: its kind, and what its holder presents. */
export interface RecordKey {
  readonly kind: string;
  readonly id: string;
}

/** A record's second name besides its key, and its lifetime. */
export interface RecordTerms {
  readonly uid: string | undefined;
  readonly lifetimeSeconds: number;
}

/**
 * Store of sessions, interactions, pushed requests and first answers. Losing all of them makes PSUs start again and revives
 * nothing; marks of what was used are therefore kept elsewhere (`provider/used-marks.ts`). The holder's value is never stored,
 * only its SHA-256. An expired record is not found. Where records bear marks, as in Redis, a record without a mark of ours is not
 * found either: somebody else wrote it, or auth did under another sealing key.
 */
export interface EphemeralStore<Payload> {
  /** Stores a record, or replaces the one with its key; `uid` is a second name to find it by. */
  put(key: RecordKey, payload: Payload, terms: RecordTerms): Promise<void>;
  /**
   * Stores a record under an unused key: true for exactly one of any concurrent callers, in any process. A record without a mark
   * of ours also counts as using the key: what was answered first before the sealing key changed stays so.
   */
  putNew(key: RecordKey, payload: Payload, terms: RecordTerms): Promise<boolean>;
  /**
   * Stores a record under a key that still has `former`, or still nothing: of all callers that found that, true for one. A record
   * without a mark of ours counts as nothing, as in `find`, and is replaced.
   */
  putInPlaceOf(
    former: Payload | undefined,
    key: RecordKey,
    payload: Payload,
    terms: RecordTerms,
  ): Promise<boolean>;
  /**
   * Stores a new record unless `limit` records of its kind and `uid` are alive, also with concurrent callers. Records stored so
   * share the name, and cannot be found by it.
   */
  putAmong(
    key: RecordKey,
    payload: Payload,
    terms: RecordTerms & { readonly uid: string; readonly limit: number },
  ): Promise<boolean>;
  /** Milliseconds until the first of the records that `putAmong` counts ends by itself; 0 when none is alive. */
  waitAmong(kind: string, uid: string): Promise<number>;
  find(key: RecordKey): Promise<Payload | undefined>;
  /**
   * Finds a record by its second name. The caller does not know the holder's value, and does not get it: only its hash is stored.
   */
  findByUid(kind: string, uid: string): Promise<Payload | undefined>;
  /** Removes a living record: true for exactly one of any concurrent callers, in any process. */
  take(key: RecordKey): Promise<boolean>;
}

/** Opens the store for one kind of payload; all kinds share one place. */
export type OpenEphemeralStore = <Payload extends object>() => EphemeralStore<Payload>;
