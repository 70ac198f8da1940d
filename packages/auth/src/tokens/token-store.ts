import type { Act } from "../audit/act.ts";
import type { Consent } from "../consent/consent.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";

/** A stored code or token, whether it was used up, and its consent, all read at one moment. */
export interface StoredToken<Payload> {
  readonly payload: Payload;
  readonly consumed: boolean;
  /** The consent that it belongs to; undefined unless active. */
  readonly consent: Consent | undefined;
  /** Whether it is an access token whose TPP or certificate is on the stop list now. */
  readonly isBlocked: boolean;
}

/** The consent that a record belongs to, and its lifetime. */
export interface TokenTerms {
  readonly grantId: string;
  readonly lifetimeSeconds: number;
}

/** A record to be stored. */
export interface NewToken<Payload> extends TokenTerms {
  readonly key: RecordKey;
  readonly payload: Payload;
}

/**
 * Codes and tokens. They are durable: what was answered survives a crash. The holder's value is never stored, only its
 * SHA-256. The database's clock decides: an expired record is not found, whether or not it was cleaned up.
 */
export interface TokenStore<Payload> {
  /** Stores a record, replacing any with the same key. */
  put(key: RecordKey, payload: Payload, terms: TokenTerms): Promise<void>;
  find(key: RecordKey): Promise<StoredToken<Payload> | undefined>;
  /** Finds a record even if expired, unless it was cleaned up, for callers that end it: the clock may be ahead. */
  findKept(key: RecordKey): Promise<StoredToken<Payload> | undefined>;
  /**
   * Uses up a code and stores the tokens given for it, both or neither, in one statement; true for exactly one of any
   * number of callers, in any process. A used code is found for as long as any token given for it. After a failure the
   * caller may try again, because nothing was given and the code is unchanged; unless the database succeeded and only
   * its answer was lost.
   */
  redeem(code: RecordKey, tokens: readonly NewToken<Payload>[]): Promise<boolean>;
  /** Removes a record; for an access token, records it and appends an event in the same transaction. */
  remove(key: RecordKey, act: Act): Promise<void>;
}
