import type { KeyObject } from "node:crypto";
import { deriveKey, seal, unseal } from "../../sealing/sealing.ts";
import type { SignInMemory } from "../psu-login.ts";

/** One question to the bank's provider, from the way there until the way back. */
export interface AskedUpstream {
  /** The URL of the question, with all its parameters but the language. */
  readonly location: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Milliseconds since 1970 by our clock. */
  readonly askedAt: number;
}

/** What the key is for, and what a question is sealed to. */
const PURPOSE = "upstream-sign-in";
const STEP = "upstream";

/** Derives the key of all such questions from the sealing key; it is the same in every process. */
export function deriveAskingKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, PURPOSE);
}

/** Seals a question for the store: its reader learns neither where the sign-in belongs nor what redeems its code. */
export function sealAsked(key: KeyObject, asked: AskedUpstream): SignInMemory {
  const sealed = seal(key, Buffer.from(JSON.stringify(asked)), PURPOSE);
  return { step: STEP, sealed: sealed.toString("base64url") };
}

/** Whether a memory is one that `sealAsked` gave under this key, here or in another process; a leaked key is replaced. */
export function isAsked(key: KeyObject, memory: SignInMemory): boolean {
  if (memory.step !== STEP) return false;
  try {
    openAsked(key, memory);
    return true;
  } catch {
    return false;
  }
}

/** Opens what `sealAsked` gave; throws for everything else. */
export function openAsked(key: KeyObject, { sealed }: SignInMemory): AskedUpstream {
  if (typeof sealed !== "string")
    throw new TypeError("the memory of this step has no sealed question to the bank's provider");
  return JSON.parse(Buffer.from(unseal(key, Buffer.from(sealed, "base64url"), PURPOSE)).toString());
}

/** The `state` of a question (RFC 6749 4.1.1). */
export function stateOf({ location }: AskedUpstream): string {
  return new URL(location).searchParams.get("state") ?? "";
}
