import type { PsuId } from "@cobs/cobs-model";
import type { Psu, SignInCircumstances } from "./psu-login.ts";

/** What a PSU typed; nothing of it is checked but its length. */
export interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  readonly oneTimeCode: string;
}

/** What counts in an attempt beside what was typed. */
export type AttemptCircumstances = Pick<SignInCircumstances, "now" | "device">;

/** How an attempt ended; see the outcomes of the port. */
export type AttemptOutcome =
  | { readonly outcome: "signed-in"; readonly psu: PsuId; readonly device: string }
  /** The password was right, and an activation code in place of a one-time code; `activation` is its hash. */
  | { readonly outcome: "activated"; readonly psu: PsuId; readonly activation: string }
  | { readonly outcome: "refused"; readonly psu?: PsuId }
  | { readonly outcome: "blocked"; readonly until: Date };

/** The sandbox's PSUs with what they know and have. It keeps the promises of the port. */
export interface SandboxDirectory {
  /** Throws `SignInBusy` when too many sign-ins wait already. */
  signIn(attempt: SignInAttempt, circumstances: AttemptCircumstances): Promise<AttemptOutcome>;
  find(psu: PsuId): Promise<Psu | undefined>;
}
