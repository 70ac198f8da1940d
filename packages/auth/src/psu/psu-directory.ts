import type { PsuId } from "@cobs/cobs-model";

/** What a PSU typed; nothing of it is checked but its length. */
export interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  readonly oneTimeCode: string;
}

/** A person at the bank, as the pages greet them. */
export interface Psu {
  readonly id: PsuId;
  readonly displayName: string;
}

/**
 * How a sign-in ended. `refused` says nothing about which of the factors was wrong, nor whether the PSU exists
 * (RTS Article 4(3)(a)); `blocked` comes after too many failures in a row, for unknown names alike (Article 4(3)(b)).
 */
export type SignInOutcome =
  | { readonly outcome: "signed-in"; readonly psu: PsuId }
  | { readonly outcome: "refused" }
  | { readonly outcome: "blocked"; readonly until: Date };

/**
 * The port to the bank's login. This folder owns how a PSU proves who they are, with two independent factors; it does
 * not own what they then agree to, nor how long a browser stays signed in.
 *
 * An implementation promises: every factor is evaluated in every attempt, in the same time whatever is wrong; a one-time
 * code serves one sign-in, also among parallel attempts; failures in a row are counted before they are evaluated, so that
 * parallel guesses cannot pass the limit; no one can block a PSU for longer than the documented time.
 */
export interface PsuDirectory {
  /** Throws `PsuDirectoryBusy` when too many sign-ins wait already. */
  signIn(attempt: SignInAttempt, now: Date): Promise<SignInOutcome>;
  /** Undefined for someone the bank does not know (any more). */
  find(psu: PsuId): Promise<Psu | undefined>;
}

/** Nobody can sign in at this moment; trying again soon is right. Nothing was counted. */
export class PsuDirectoryBusy extends Error {
  override readonly name = "PsuDirectoryBusy";

  constructor() {
    super("too many sign-ins wait");
  }
}
