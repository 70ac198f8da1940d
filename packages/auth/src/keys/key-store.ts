import type { OperatorAct } from "../audit/act.ts";
import type { KeyFacts, KeyUse, MadeKey, ServerKey } from "./server-key.ts";

/** The keys that are not gone, at one time of the database's clock. */
export interface KeysAtMoment {
  /** Signing keys first, then announced ones, then retired ones. */
  readonly keys: readonly ServerKey[];
  /** Uses whose key needs a successor now, or whose keys all have an end. */
  readonly due: readonly KeyUse[];
}

/**
 * Durable store of the keys of all processes, with sealed secrets. From its first key on, each use has exactly one signing key.
 * Changes of one use run one after another, and each sees those before it. Each is recorded in the audit log, in the same
 * transaction. Time is the database's.
 */
export interface KeyStore {
  /**
   * Gives a use without keys its first one, which signs at once: the first of `imported`, whose others are retired, or a new one.
   * A use whose keys all have an end gets a new one that signs at once. Of concurrent callers, exactly one does it.
   */
  begin(use: KeyUse, imported: readonly MadeKey[]): Promise<void>;
  /** Reads the keys in use; never cached. Throws `DatabaseUnsuitable` for a secret that the sealing key does not open. */
  inUse(): Promise<KeysAtMoment>;
  /** Lists every key there ever was, newest first, at most {@link MAX_LISTED_KEYS}, without secrets. */
  list(): Promise<readonly KeyFacts[]>;
  /** Makes a key that is announced now and signs later; undefined when one is already announced. */
  announce(use: KeyUse, act: OperatorAct): Promise<KeyFacts | undefined>;
  /**
   * Announces a key by age: of concurrent callers, exactly one makes the key that is due, if one is. When all keys of the use
   * have an end, the new one signs at once.
   */
  announceDue(use: KeyUse): Promise<KeyFacts | undefined>;
  /**
   * Ends a key at once, whatever its state, and deletes its secret. After a signing key, the announced key signs from now on, or
   * a new one; after an announced key, the signing key stays. For a signing key an event is written in the same transaction.
   * Undefined when no key with this id is in use.
   */
  drop(kid: string, act: OperatorAct): Promise<KeyFacts | undefined>;
}

/** Most keys in a list. */
export const MAX_LISTED_KEYS = 200;
