import type { Act } from "../audit/act.ts";
import type { Consent } from "../consent/consent.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";

/**
 * A code or token as it was stored, whether it was used up, and the state of the consent that it belongs to, all read
 * at one moment.
 */
export interface StoredToken<Payload> {
  readonly payload: Payload;
  readonly consumed: boolean;
  /** That it hangs on, as long as it is active. */
  readonly consent: Consent | undefined;
  /** Whether it is an access token of a TPP, or bound to a certificate, that the stop list blocks at this moment. */
  readonly isBlocked: boolean;
}

/** What a record hangs on, and how long it lives. */
export interface TokenTerms {
  readonly grantId: string;
  readonly lifetimeSeconds: number;
}

/** A record that is to be stored. */
export interface NewToken<Payload> extends TokenTerms {
  readonly key: RecordKey;
  readonly payload: Payload;
}

/**
 * Codes and tokens, durable: what was answered survives a crash. The holder's value is never stored, only its SHA-256.
 * Time is the database's: a record that has expired is not found, whether or not it was cleaned away.
 */
export interface TokenStore<Payload> {
  /** Stores a record, or replaces the one with its key. */
  put(key: RecordKey, payload: Payload, terms: TokenTerms): Promise<void>;
  find(key: RecordKey): Promise<StoredToken<Payload> | undefined>;
  /** The same, also of a record that has expired and was not cleaned away, for who ends it: the clock may be ahead. */
  findKept(key: RecordKey): Promise<StoredToken<Payload> | undefined>;
  /**
   * Uses a code up and stores what was given for it, both or neither, in one statement: true for exactly one of any number of
   * callers, in any process. The used code is found for as long as anything that was given for it. Whoever fails may come again:
   * nothing was given, and the code is as it was; unless the database had done it, and its answer was lost.
   */
  redeem(code: RecordKey, tokens: readonly NewToken<Payload>[]): Promise<boolean>;
  /** Ends a record; the end of an access token is recorded and told in the event feed, in the same transaction. */
  remove(key: RecordKey, act: Act): Promise<void>;
}
