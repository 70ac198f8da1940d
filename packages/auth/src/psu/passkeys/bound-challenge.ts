import { type KeyObject, randomBytes } from "node:crypto";
import { authenticate, deriveKey } from "../../sealing/sealing.ts";
import { CHALLENGE_MILLISECONDS, type PasskeyChallenge } from "./passkey.ts";

/** A challenge with what a form has to bring back, so that nothing of it is kept. */
export interface BoundChallenge {
  readonly challenge: PasskeyChallenge;
  /** When it was made, and 128 random bits; the challenge cannot be computed from it without our key. */
  readonly seal: string;
}

const NONCE_BYTES = 16;
const SEAL = /^(\d{1,16})\.([A-Za-z0-9_-]{22})$/;

/** The key of all bound challenges, from the sealing key; the same in every process. */
export function deriveChallengeKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "passkey-challenges");
}

/** A challenge that is good for what it is bound to: an order's digest, a session. */
export function makeBoundChallenge(key: KeyObject, bound: readonly string[], now: Date): BoundChallenge {
  const seal = `${now.getTime()}.${randomBytes(NONCE_BYTES).toString("base64url")}`;
  return { challenge: challengeOf(key, bound, seal), seal };
}

/**
 * The challenge that was made for this, computed anew from what it is bound to at this moment; undefined when it is older
 * than five minutes. A seal of somebody's own gives a challenge that nobody was ever asked with.
 */
export function findBoundChallenge(
  key: KeyObject,
  { bound, seal }: { readonly bound: readonly string[]; readonly seal: string },
  now: Date,
): PasskeyChallenge | undefined {
  const [, madeAt] = SEAL.exec(seal) ?? [];
  if (madeAt === undefined) return undefined;
  const age = now.getTime() - Number(madeAt);
  return age < CHALLENGE_MILLISECONDS ? challengeOf(key, bound, seal) : undefined;
}

function challengeOf(key: KeyObject, bound: readonly string[], seal: string): PasskeyChallenge {
  return authenticate(key, JSON.stringify([...bound, seal])).toString("base64url");
}
