import type { OperatorAct } from "../audit/act.ts";
import type { KeyFacts, KeyUse, MadeKey, ServerKey } from "./server-key.ts";

/** The keys that are not gone, at one moment of the database's clock. */
export interface KeysAtMoment {
  /** The one that signs first, then those that are announced, then those that are retired. */
  readonly keys: readonly ServerKey[];
  /** The uses whose key is so old that another one has to be announced, or that have none to go on with. */
  readonly due: readonly KeyUse[];
}

/**
 * The keys of all processes, durable, their secrets sealed. From the first one on, each use has exactly one key that signs.
 * Changes of a use happen one after the other, and what comes later sees what came before. What becomes
 * of a key is recorded in the audit log, in the same transaction. Time is the database's.
 */
export interface KeyStore {
  /**
   * Gives a use its first key, which signs at once, when it never had one: the first of `imported`, whose others are
   * retired, or a new one. One of which no key goes on gets a new one that does. Of any number of callers at once, exactly
   * one does it.
   */
  begin(use: KeyUse, imported: readonly MadeKey[]): Promise<void>;
  /** Never cached. Throws `DatabaseUnsuitable` for a secret that the sealing key does not open. */
  inUse(): Promise<KeysAtMoment>;
  /** Every key that there ever was, newest first, at most {@link MAX_LISTED_KEYS}; without secrets. */
  list(): Promise<readonly KeyFacts[]>;
  /** Makes a key that is announced now and signs later; undefined when there is an announced one already. */
  announce(use: KeyUse, act: OperatorAct): Promise<KeyFacts | undefined>;
  /**
   * The same by age: of any number of callers at once, exactly one makes the key that is due, if it is. Where no key goes on,
   * it signs at once.
   */
  announceDue(use: KeyUse): Promise<KeyFacts | undefined>;
  /**
   * Ends a key at once, whatever its state, and deletes its secret. When it signed, the announced key does so from now on,
   * or one that is made now; when it was announced, the key that signs keeps signing. The event feed tells, in the same
   * transaction, of a signing key. Undefined when no key with this id is in use.
   */
  drop(kid: string, act: OperatorAct): Promise<KeyFacts | undefined>;
}

/** Most keys that a list has. */
export const MAX_LISTED_KEYS = 200;
