/**
 * Passkeys (W3C Web Authentication Level 3): key pairs in a PSU's devices, each valid for our domain alone and used only after
 * the device has verified its holder. This folder owns what a browser is asked, how an answer is checked, and which keys belong
 * to whom. It does not own where a challenge is kept between two pages, nor how failures are counted.
 */
import type { PsuId } from "@cobs/cobs-model";

/** A passkey that a PSU has added. */
export interface Passkey {
  /** Our own id of the passkey. It may be shown: nobody can present it. */
  readonly id: string;
  readonly psu: PsuId;
  /** The id that the authenticator chose, in base64url. */
  readonly credentialId: string;
  /** A COSE_Key. */
  readonly publicKey: Uint8Array;
  /** Number of signatures it has made; always 0 when the authenticator does not count. */
  readonly counter: number;
  /** The name that the PSU gave it; may be empty. */
  readonly name: string;
  readonly addedAt: Date;
  readonly lastUsedAt: Date | undefined;
}

/** A passkey that an authenticator has made and a PSU wants to add. */
export type NewPasskey = Pick<Passkey, "psu" | "credentialId" | "publicKey" | "counter" | "name">;

/** The site for which passkeys are valid. */
export interface RelyingParty {
  /** A domain (the RP ID): the host of our pages, or a parent of it. */
  readonly id: string;
  /** Origin of our pages, compared as text. */
  readonly origin: string;
  /** The bank's name, which devices show. */
  readonly name: string;
}

/** 32 bytes in base64url; an answer to it is good for nothing else. */
export type PasskeyChallenge = string;

/**
 * How long a new passkey approves no order. A PSU learns that somebody else added one in their session before that passkey can
 * release money, not afterwards (RTS Article 24(2)(b)).
 */
const NEW_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Whether a passkey is old enough to approve orders. */
export function approvesOrders({ addedAt }: Pick<Passkey, "addedAt">, now: Date): boolean {
  return now.getTime() >= addedAt.getTime() + NEW_MILLISECONDS;
}

/** How long a challenge is good (RTS Article 4(3)(d)). */
export const CHALLENGE_MILLISECONDS = 5 * 60 * 1000;
