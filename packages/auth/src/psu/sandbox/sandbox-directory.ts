import type { PsuId } from "@cobs/cobs-model";
import type { Psu, SignInCircumstances } from "../psu-login.ts";

/** What a PSU typed; nothing of it is checked but its length. */
export interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  readonly oneTimeCode: string;
}

/** A proof beside what a PSU knows, which can be enough by itself. Nothing of it is checked. */
export interface ProofAttempt {
  /** What the proof names: failures are counted for that where no username was typed. */
  readonly name: string;
  /** Undefined where the proof is to be enough: the device has verified its holder. */
  readonly known: Omit<SignInAttempt, "oneTimeCode"> | undefined;
  /** Whose proof it claims to be, proven by nothing; undefined for nobody's. */
  readonly findNamed: () => Promise<PsuId | undefined>;
  /** Whom it proves; it is good once, and is asked for in every attempt that may be evaluated. */
  readonly prove: () => Promise<PsuId | undefined>;
}

/** What counts in an attempt beside what was typed. */
export type AttemptCircumstances = Pick<SignInCircumstances, "now" | "device">;

/** How an attempt ended; see the outcomes of the port. */
export type AttemptOutcome =
  | ProofOutcome
  /** The password was right, and an activation code in place of a one-time code; `activation` is its hash. */
  | { readonly outcome: "activated"; readonly psu: PsuId; readonly activation: string };

/** How an attempt with a proof of its own ended. */
export type ProofOutcome =
  | { readonly outcome: "signed-in"; readonly psu: PsuId; readonly device: string }
  | { readonly outcome: "refused"; readonly psu?: PsuId }
  | { readonly outcome: "blocked"; readonly until: Date; readonly psu?: PsuId };

/** The sandbox's PSUs with what they know and have. It keeps the promises of the port. */
export interface SandboxDirectory {
  /** Throws `SignInBusy` when too many sign-ins wait already. */
  signIn(attempt: SignInAttempt, circumstances: AttemptCircumstances): Promise<AttemptOutcome>;
  /** The same with a passkey in place of the one-time code, or of everything. */
  signInWithProof(attempt: ProofAttempt, circumstances: AttemptCircumstances): Promise<ProofOutcome>;
  find(psu: PsuId): Promise<Psu | undefined>;
}
