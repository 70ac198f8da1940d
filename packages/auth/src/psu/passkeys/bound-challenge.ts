import { type KeyObject, randomBytes } from "node:crypto";
import { authenticate, deriveKey } from "../../sealing/sealing.ts";
import { CHALLENGE_MILLISECONDS, type PasskeyChallenge } from "./passkey.ts";

/** A challenge and the seal that its form must bring back, so that the server stores nothing. */
export interface BoundChallenge {
  readonly challenge: PasskeyChallenge;
  /** When the challenge was made, and 128 random bits. The challenge cannot be computed from it without our key. */
  readonly seal: string;
}

const NONCE_BYTES = 16;
const SEAL = /^(\d{1,16})\.([A-Za-z0-9_-]{22})$/;

/** Derives the key of all bound challenges from the sealing key; it is the same in every process. */
export function deriveChallengeKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "passkey-challenges");
}

/** Makes a challenge that is valid only for what it is bound to: an order's digest, a session. */
export function makeBoundChallenge(key: KeyObject, bound: readonly string[], now: Date): BoundChallenge {
  const seal = `${now.getTime()}.${randomBytes(NONCE_BYTES).toString("base64url")}`;
  return { challenge: challengeOf(key, bound, seal), seal };
}

/**
 * Recomputes the challenge of a seal from what it is bound to at this moment; undefined when it is older than five minutes. A
 * forged seal gives a challenge that nobody was ever asked with.
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
