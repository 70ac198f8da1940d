import type { RecordKey } from "./token-store.ts";

/**
 * Sessions and interactions: losing all of them makes PSUs start again and revives nothing. The holder's value is
 * never stored, only its SHA-256. An expired record is not found.
 */
export interface EphemeralStore<Payload> {
  /** Stores a record, or replaces the one with its key; `uid` is a second name to find it by. */
  put(
    key: RecordKey,
    payload: Payload,
    terms: { readonly uid: string | undefined; readonly lifetimeSeconds: number },
  ): Promise<void>;
  find(key: RecordKey): Promise<Payload | undefined>;
  /** The record's value is not known to who asks by its second name: it comes back hashed. */
  findByUid(kind: string, uid: string): Promise<Payload | undefined>;
  /** Removes a record: true for exactly one of any number of callers, in any process. */
  take(key: RecordKey): Promise<boolean>;
}
