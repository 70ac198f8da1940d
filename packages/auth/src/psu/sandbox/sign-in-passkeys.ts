import { randomBytes } from "node:crypto";
import type { Clock } from "@cobs/service-edge";
import { CHALLENGE_MILLISECONDS } from "../passkeys/passkey.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { PasskeyAsking, SignInMemory } from "../psu-login.ts";
import type { ProofAttempt } from "./sandbox-directory.ts";

/** Passkeys at a sign-in, whose memory keeps the challenge: in one browser, for one purpose, used up by its answer. */
export interface SignInPasskeys {
  /** A new challenge, as the memory of a sign-in keeps it. */
  begin(): SignInMemory;
  /** What the browser is asked; undefined for a sign-in that has no challenge. */
  present(memory: SignInMemory): PasskeyAsking | undefined;
  /** Whether the challenge is older than five minutes, or there is none. */
  isOver(memory: SignInMemory, now: Date): boolean;
  /** Reads an answer as a proof that is still to be checked. */
  read(memory: SignInMemory, answer: string, now: Date): Omit<ProofAttempt, "known">;
}

const CHALLENGE_BYTES = 32;
/** A credential id that no authenticator has chosen. */
const NO_CREDENTIAL = "none";

/** Creates the passkeys of the sandbox's login. */
export function createSignInPasskeys(passkeys: Passkeys, clock: Clock): SignInPasskeys {
  return {
    begin: () => ({
      challenge: randomBytes(CHALLENGE_BYTES).toString("base64url"),
      challengedAt: clock.now().getTime(),
    }),
    present: ({ challenge }) => (typeof challenge === "string" ? passkeys.ask(challenge) : undefined),
    isOver: ({ challenge, challengedAt }, now) =>
      typeof challenge !== "string" || now.getTime() >= Number(challengedAt) + CHALLENGE_MILLISECONDS,
    read: ({ challenge }, answer, now) => ({
      name: passkeys.nameOf(answer) ?? NO_CREDENTIAL,
      findNamed: async () => (await passkeys.store.find(passkeys.nameOf(answer) ?? NO_CREDENTIAL))?.psu,
      prove: async () => {
        if (typeof challenge !== "string") return undefined;
        const proof = await passkeys.prove(answer, { challenge }, now);
        return proof.result === "proven" ? proof.psu : undefined;
      },
    }),
  };
}
