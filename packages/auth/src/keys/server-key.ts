/**
 * Keys that this server makes for itself: signing keys for its introspection answers, and cookie keys. This folder owns how they
 * are made and kept, when each is used, and that every process learns of them without a restart. It does not own what is signed
 * with them (`src/provider`), nor the operators' orders and the statuses (`src/operator-api`, `src/http`).
 */
import type { Secret } from "@cobs/service-edge";

/** What a key is used for. */
export type KeyUse = "signing" | "cookie";

/** Both uses of keys. */
export const KEY_USES: readonly KeyUse[] = ["signing", "cookie"];

/**
 * States of a key, one after the other:
 * - `announced`: published or accepted, so that all verifiers know it before it signs
 * - `signing`: the one key of its use that signs
 * - `retired`: still published or accepted, until the last thing that it signed has expired
 * - `gone`: its signatures are no longer accepted, and its secret is deleted
 */
export type KeyState = "announced" | "signing" | "retired" | "gone";

/** When a key changes its state. */
export interface KeyTimes {
  readonly signsFrom: Date;
  /** Undefined, like `endsAt`, while no other key is to follow. */
  readonly retiresAt: Date | undefined;
  readonly endsAt: Date | undefined;
}

/** Facts about a key that people may see. */
export interface KeyFacts extends KeyTimes {
  /** Id of the key; the `kid` of a signing key (RFC 7517 4.5). */
  readonly kid: string;
  readonly use: KeyUse;
  readonly state: KeyState;
  readonly announcedAt: Date;
  /** Operator who asked for the key; undefined when it was made by age or at the first start. */
  readonly madeBy: string | undefined;
  /** Operator who dropped the key, which ended it. */
  readonly droppedBy: string | undefined;
}

/** A new key, without state or times. */
export interface MadeKey {
  readonly kid: string;
  /** A private JWK, or the text that cookies are signed with. */
  readonly secret: Secret;
}

/** A key that is announced, signing or retired. */
export type ServerKey = KeyFacts & MadeKey;

/** Seconds that a key of one use stays in each state. */
export interface KeyTerms {
  /** From one change of the signing key to the next. */
  readonly lifetimeSeconds: number;
  /** Longer than all processes and verifiers need to learn of a key. */
  readonly announcedSeconds: number;
  /** Longer than the life of anything that the key has signed. */
  readonly retiredSeconds: number;
}

/** The terms of both uses. */
export type TermsOfKeys = Readonly<Record<KeyUse, KeyTerms>>;

/** Finds the state of a key at a time of the database's clock. A dropped key is gone, whatever its other times. */
export function stateAt(now: Date, { signsFrom, retiresAt, endsAt }: KeyTimes): KeyState {
  if (endsAt !== undefined && endsAt <= now) return "gone";
  if (retiresAt !== undefined && retiresAt <= now) return "retired";
  return signsFrom <= now ? "signing" : "announced";
}

/** Tells whether a successor must be announced now to take over when the lifetime of this key ends. */
export function isSuccessorDue(now: Date, key: KeyTimes, terms: KeyTerms): boolean {
  const seconds = terms.lifetimeSeconds - terms.announcedSeconds;
  return key.retiresAt === undefined && key.signsFrom.getTime() + seconds * 1000 <= now.getTime();
}
