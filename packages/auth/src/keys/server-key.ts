/**
 * The keys that this server makes for itself: signing keys, for its answers to introspection, and cookie keys. This folder
 * owns how they are made and kept, when each is used, and that every process learns of it without a restart. It does not
 * own what is signed with them (`src/provider`), nor orders of operators and statuses (`src/operator-api`, `src/http`).
 */
import type { Secret } from "@cobs/service-edge";

/** What a key is for. */
export type KeyUse = "signing" | "cookie";

/** Both of them. */
export const KEY_USES: readonly KeyUse[] = ["signing", "cookie"];

/**
 * What becomes of a key, one state after the other:
 * - `announced`: published or accepted, so that all who verify know it before it signs
 * - `signing`: the one key of its use with which everything is signed
 * - `retired`: still published or accepted, until the last thing that it signed has ended
 * - `gone`: nothing that it signed is believed, and its secret is deleted
 */
export type KeyState = "announced" | "signing" | "retired" | "gone";

/** When a key changes its state. */
export interface KeyTimes {
  readonly signsFrom: Date;
  /** Undefined, both, as long as no other key is to follow. */
  readonly retiresAt: Date | undefined;
  readonly endsAt: Date | undefined;
}

/** What may be told of a key to people. */
export interface KeyFacts extends KeyTimes {
  /** Names the key; the `kid` of a signing key (RFC 7517 4.5). */
  readonly kid: string;
  readonly use: KeyUse;
  readonly state: KeyState;
  readonly announcedAt: Date;
  /** The operator who asked for it; undefined for one that was made by age, or at the first start. */
  readonly madeBy: string | undefined;
  /** The operator who dropped it; its end was then. */
  readonly droppedBy: string | undefined;
}

/** A key before it has a place among the others. */
export interface MadeKey {
  readonly kid: string;
  /** A private JWK, or the text that cookies are signed with. */
  readonly secret: Secret;
}

/** A key that is announced, signing or retired. */
export type ServerKey = KeyFacts & MadeKey;

/** How long a key of one use is in each state, in seconds. */
export interface KeyTerms {
  /** From one change of the signing key to the next. */
  readonly lifetimeSeconds: number;
  /** Longer than it takes all processes, and all who verify, to learn of a key. */
  readonly announcedSeconds: number;
  /** Longer than anything lives that the key has signed. */
  readonly retiredSeconds: number;
}

/** The terms of both uses. */
export type TermsOfKeys = Readonly<Record<KeyUse, KeyTerms>>;

/** The state of a key at a moment of the database's clock; one that was dropped has ended, whatever else was to come. */
export function stateAt(now: Date, { signsFrom, retiresAt, endsAt }: KeyTimes): KeyState {
  if (endsAt !== undefined && endsAt <= now) return "gone";
  if (retiresAt !== undefined && retiresAt <= now) return "retired";
  return signsFrom <= now ? "signing" : "announced";
}

/** Whether a key has to be announced now, so that it takes over from this one when its lifetime is over. */
export function isSuccessorDue(now: Date, key: KeyTimes, terms: KeyTerms): boolean {
  const seconds = terms.lifetimeSeconds - terms.announcedSeconds;
  return key.retiresAt === undefined && key.signsFrom.getTime() + seconds * 1000 <= now.getTime();
}
