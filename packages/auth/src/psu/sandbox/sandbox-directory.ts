import type { PsuId } from "@cobs/cobs-model";
import type { Psu, SignInCircumstances } from "../psu-login.ts";

/** What a PSU typed; nothing in it is checked. */
export interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  readonly oneTimeCode: string;
}

/** A proof besides what a PSU knows, which can be enough by itself. Nothing in it is checked. */
export interface ProofAttempt {
  /** What the proof names: failures are counted for it when no username was typed. */
  readonly name: string;
  /** Undefined when the proof must suffice: the device has verified its holder. */
  readonly known: Omit<SignInAttempt, "oneTimeCode"> | undefined;
  /** Finds whose proof it claims to be, unverified; undefined for nobody's. */
  readonly findNamed: () => Promise<PsuId | undefined>;
  /** Finds whom it proves. It works once, and is called in every attempt that may be evaluated. */
  readonly prove: () => Promise<PsuId | undefined>;
}

/** What counts in an attempt besides what was typed. */
export type AttemptCircumstances = Pick<SignInCircumstances, "now" | "device">;

/** How an attempt ended; see the outcomes of the port. */
export type AttemptOutcome =
  | ProofOutcome
  /** The password was right, with an activation code in place of a one-time code; `activation` is its hash. */
  | { readonly outcome: "activated"; readonly psu: PsuId; readonly activation: string };

/** How an attempt with a proof of its own ended. */
export type ProofOutcome =
  | { readonly outcome: "signed-in"; readonly psu: PsuId; readonly device: string }
  | { readonly outcome: "refused"; readonly psu?: PsuId }
  | { readonly outcome: "blocked"; readonly until: Date; readonly psu?: PsuId };

/** The sandbox's PSUs with what they know and have. It keeps the promises of `PsuLogin`. */
export interface SandboxDirectory {
  /** Throws `SignInBusy` when too many sign-ins wait already. */
  signIn(attempt: SignInAttempt, circumstances: AttemptCircumstances): Promise<AttemptOutcome>;
  /** Signs in like `signIn`, with a passkey in place of the one-time code, or of everything. */
  signInWithProof(attempt: ProofAttempt, circumstances: AttemptCircumstances): Promise<ProofOutcome>;
  find(psu: PsuId): Promise<Psu | undefined>;
}
