/**
 * The port to the bank's login. This folder owns how a PSU proves who they are, with two independent factors, in however many
 * steps; it does not own what they then agree to, nor how long a browser stays signed in (`psu-session`), nor how a sign-in
 * is kept between two steps and bound to its browser (`sign-in`). Behind the port are the login that only a sandbox has
 * (`sandbox`, with `passkeys` among its factors) and the bank's own OpenID provider (`upstream`). SIGN-IN.md, "Another login",
 * says how to write one more.
 */
import type { Language, PsuId } from "@cobs/cobs-model";

/** What a browser's script asks an authenticator with (W3C Web Authentication 5.5). */
export type PasskeyAsking = Readonly<Record<string, unknown>>;

/** The field of a form with which a passkey answers. */
export const ASSERTION_FIELD = "assertion";

/** What was proven, and how; audit and approvals record it. A login that proves by another method adds that one here. */
export type SignInMethod = "password" | "totp" | "passkey" | "upstream";

/** A person at the bank, as the pages greet them. */
export interface Psu {
  readonly id: PsuId;
  readonly displayName: string;
}

/**
 * What a login remembers between two steps; opaque to everybody else, and kept where no browser can read it. It is kept as it is:
 * what whoever reads the store may not learn, the login seals itself.
 */
export type SignInMemory = Readonly<Record<string, string | number | boolean | null>>;

/** What a PSU is asked for at a step. */
export type SignInPage =
  /**
   * Username, password and one-time code; or an activation code in its place. Where `passkey` is there, a field `assertion`
   * answers it: in place of the code, or of everything where the form has no username. Such an answer uses the step up.
   */
  | { readonly page: "credentials"; readonly passkey?: PasskeyAsking }
  /** A secret to bring into an authenticator app, and one code of it. `uri` is what the QR code says. */
  | { readonly page: "enrolment"; readonly uri: string; readonly secret: string }
  /** Everything is asked at another place, which sends the browser back with the `returnState` of this sign-in. */
  | { readonly page: "elsewhere"; readonly location: string };

/** What a PSU answered; nothing of it is checked but that a form is one of ours and that a return carries our state. */
export type SignInAnswer =
  | { readonly kind: "form"; readonly fields: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: "return"; readonly parameters: URLSearchParams };

/** What is known of a sign-in beside its answers. */
export interface SignInCircumstances {
  readonly now: Date;
  readonly requestId: string;
  /** Of the page, for what the PSU may be told beside it. */
  readonly language: Language;
  /** What a login gave this browser at an earlier sign-in; from a cookie, so it may be anything. */
  readonly device: string | undefined;
}

/** Somebody who has just been authenticated strongly. */
export interface SignedIn {
  readonly psu: PsuId;
  /** At least two kinds of proof, or one that is both. */
  readonly methods: readonly SignInMethod[];
  /** When they were, where another place says it: not later than the answer. Absent where it is the answer that proves them. */
  readonly authenticatedAt?: Date;
  /** For the browser to keep, so that a stranger's failures do not block this device; absent where the login has none. */
  readonly device?: string;
}

/**
 * How an answer was taken. `refused` says nothing about which of the factors was wrong, nor whether the PSU exists
 * (RTS Article 4(3)(a)); `blocked` comes after too many failures in a row, for unknown names alike (Article 4(3)(b)).
 * `psu` is then whom the attempt was for, where that is known: for the audit log alone.
 */
export type SignInOutcome =
  | ({ readonly outcome: "signed-in" } & SignedIn)
  /** This step is over, another one follows. `psu` is there when somebody is proven already: it may have to be refused. */
  | { readonly outcome: "next"; readonly memory: SignInMemory; readonly psu?: PsuId }
  /** Left empty: not an attempt, and not counted. */
  | { readonly outcome: "incomplete"; readonly missing: readonly SignInField[] }
  /** The answer to a question that waits no longer: not an attempt, and not counted. It is asked anew. */
  | { readonly outcome: "late" }
  | { readonly outcome: "refused"; readonly psu?: PsuId }
  | { readonly outcome: "blocked"; readonly until: Date; readonly psu?: PsuId };

/** The fields that a person fills in; each is the id and the name of its element. */
export type SignInField = "username" | "password" | "one_time_code";

/**
 * An implementation promises: a step that leads on tells nothing of what was right so far; every factor is evaluated in
 * every attempt, in the same time whatever is wrong; a one-time code or challenge serves one sign-in, also among parallel
 * attempts in any process; failures in a row are counted before they are evaluated, so that parallel guesses cannot pass the
 * limit; no one can block a PSU for longer than the documented time, and no stranger a device of theirs.
 */
export interface PsuLogin {
  /**
   * The memory of a sign-in of which nothing is proven. `returnState` is what a place elsewhere must send back. Throws
   * `PrivateServiceUnavailable` while that place does not answer, as `take` may; for an error that pages do not know they are a 500.
   */
  begin(returnState: string): Promise<SignInMemory>;
  /** What is asked at a step; the same for the same memory, so that a page can be loaded again. */
  present(memory: SignInMemory): Promise<SignInPage>;
  /** Throws `SignInBusy` when too many sign-ins wait already. */
  take(
    memory: SignInMemory,
    answer: SignInAnswer,
    circumstances: SignInCircumstances,
  ): Promise<SignInOutcome>;
  /** Undefined for someone the bank does not know (any more). */
  find(psu: PsuId): Promise<Psu | undefined>;
}

/** Nobody can sign in at this moment; trying again soon is right. Nothing was counted. */
export class SignInBusy extends Error {
  override readonly name = "SignInBusy";

  constructor() {
    super("too many sign-ins wait");
  }
}
