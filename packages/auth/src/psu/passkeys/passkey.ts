/**
 * Passkeys (W3C Web Authentication Level 3): key pairs in a PSU's devices, each good for our domain alone and used only after
 * the device has verified its holder. This folder owns what is asked of a browser, how an answer is checked, and which keys
 * belong to whom; it does not own where a challenge is kept between two pages, nor how failures are counted.
 */
import type { PsuId } from "@cobs/cobs-model";

/** A passkey that a PSU has added. */
export interface Passkey {
  /** Ours: it may be shown, and nobody can present it. */
  readonly id: string;
  readonly psu: PsuId;
  /** As the authenticator chose it, in base64url. */
  readonly credentialId: string;
  /** A COSE_Key. */
  readonly publicKey: Uint8Array;
  /** How often it has signed; always 0 where an authenticator does not count. */
  readonly counter: number;
  /** As the PSU calls it; may be empty. */
  readonly name: string;
  readonly addedAt: Date;
  readonly lastUsedAt: Date | undefined;
}

/** What an authenticator has made and a PSU wants to add. */
export type NewPasskey = Pick<Passkey, "psu" | "credentialId" | "publicKey" | "counter" | "name">;

/** For whom passkeys are good. */
export interface RelyingParty {
  /** A domain (the RP ID): the host of our pages, or a parent of it. */
  readonly id: string;
  /** Of our pages, compared as text. */
  readonly origin: string;
  /** The bank's, which devices show. */
  readonly name: string;
}

/** 32 bytes in base64url; an answer to it is good for nothing else. */
export type PasskeyChallenge = string;

/**
 * For so long a new passkey approves no order. Whoever adds one in the session of somebody else has its PSU told before it opens
 * their money, and not afterwards (RTS Article 24(2)(b)).
 */
const NEW_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Whether a passkey is no new one any more, and approves orders. */
export function approvesOrders({ addedAt }: Pick<Passkey, "addedAt">, now: Date): boolean {
  return now.getTime() >= addedAt.getTime() + NEW_MILLISECONDS;
}

/** How long a challenge is good (RTS Article 4(3)(d)). */
export const CHALLENGE_MILLISECONDS = 5 * 60 * 1000;
