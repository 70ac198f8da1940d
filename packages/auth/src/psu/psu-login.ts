/**
 * The port to the bank's login. This folder owns how a PSU proves who they are, with two independent factors, in any number of
 * steps. It does not own what they then agree to, how long a browser stays signed in (`psu-session`), nor how a sign-in is kept
 * between two steps and bound to its browser (`sign-in`). Two logins implement the port: one that only a sandbox has (`sandbox`,
 * with `passkeys` among its factors), and the bank's own OpenID provider (`upstream`). SIGN-IN.md, "Another login", says how to
 * write one more.
 */
import type { Language, PsuId } from "@cobs/cobs-model";

/** The options with which a browser's script calls an authenticator (W3C Web Authentication 5.5). */
export type PasskeyAsking = Readonly<Record<string, unknown>>;

/** The form field that carries the answer of a passkey. */
export const ASSERTION_FIELD = "assertion";

/** What was proven, and how; audit and approvals record it. A login that proves by another method adds it here. */
export type SignInMethod = "password" | "totp" | "passkey" | "upstream";

/** A person at the bank, as the pages greet them. */
export interface Psu {
  readonly id: PsuId;
  readonly displayName: string;
}

/**
 * What a login remembers between two steps. It is opaque to everybody else, and stored as it is, where no browser can read it:
 * the login itself seals what a reader of the store must not learn.
 */
export type SignInMemory = Readonly<Record<string, string | number | boolean | null>>;

/** What a step asks the PSU for. */
export type SignInPage =
  /**
   * Username, password and one-time code, or an activation code in place of the latter. When `passkey` is present, a field
   * `assertion` answers it: in place of the code, or of everything when the form has no username. Such an answer uses up the
   * step.
   */
  | { readonly page: "credentials"; readonly passkey?: PasskeyAsking }
  /** A secret to enter into an authenticator app, and one code of it. `uri` is the content of the QR code. */
  | { readonly page: "enrolment"; readonly uri: string; readonly secret: string }
  /** Another site asks everything, and sends the browser back with the `returnState` of this sign-in. */
  | { readonly page: "elsewhere"; readonly location: string };

/** What a PSU answered. Nothing is checked yet, except that a form is one of ours and that a return carries our state. */
export type SignInAnswer =
  | { readonly kind: "form"; readonly fields: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: "return"; readonly parameters: URLSearchParams };

/** What is known of a sign-in besides its answers. */
export interface SignInCircumstances {
  readonly now: Date;
  readonly requestId: string;
  /** Language of the page, in which the PSU may also be notified. */
  readonly language: Language;
  /** What a login gave this browser at an earlier sign-in; from a cookie, so it may be anything. */
  readonly device: string | undefined;
}

/** A PSU who has just been authenticated strongly. */
export interface SignedIn {
  readonly psu: PsuId;
  /** At least two kinds of proof, or one that is both. */
  readonly methods: readonly SignInMethod[];
  /**
   * When they were authenticated, if another site says so: not later than the answer. Absent when the answer itself proves them.
   */
  readonly authenticatedAt?: Date;
  /**
   * What the browser is to keep, in place of what it sent, so that a stranger's failures do not block this device; absent when
   * the login has nothing of the kind.
   */
  readonly device?: string;
}

/**
 * How an answer was judged. `refused` says neither which factor was wrong nor whether the PSU exists (RTS Article 4(3)(a)).
 * `blocked` follows too many failures in a row, for unknown names too (Article 4(3)(b)). `psu` is then whom the attempt was for,
 * if known: for the audit log alone.
 */
export type SignInOutcome =
  | ({ readonly outcome: "signed-in" } & SignedIn)
  /** This step is over, another one follows. `psu` is present when somebody is proven already: they may have to be refused. */
  | { readonly outcome: "next"; readonly memory: SignInMemory; readonly psu?: PsuId }
  /** Fields were left empty: not an attempt, and not counted. */
  | { readonly outcome: "incomplete"; readonly missing: readonly SignInField[] }
  /** The answered question is no longer open: not an attempt, and not counted. It is asked anew. */
  | { readonly outcome: "late" }
  | { readonly outcome: "refused"; readonly psu?: PsuId }
  | { readonly outcome: "blocked"; readonly until: Date; readonly psu?: PsuId };

/** The fields that a person fills in; each is the id and the name of its element. */
export type SignInField = "username" | "password" | "one_time_code";

/**
 * An implementation promises:
 * - A step that leads on reveals nothing of what was right so far.
 * - Every attempt evaluates every factor, in the same time whatever is wrong.
 * - A one-time code or challenge serves one sign-in, even among parallel attempts in any process.
 * - Failures in a row are counted before they are evaluated, so that parallel guesses cannot pass the limit.
 * - Nobody can block a PSU for longer than the documented time, and no stranger can block a device on which they sign in.
 */
export interface PsuLogin {
  /** Whose pages ask for everything that proves a PSU: ours, or another site's. */
  readonly asks: "here" | "elsewhere";
  /**
   * Gives the memory of a sign-in of which nothing is proven yet. `returnState` is what another site must send back. Throws
   * `PrivateServiceUnavailable` while that site does not answer, as `take` may. An error that the pages do not know becomes a
   * 500.
   */
  begin(returnState: string): Promise<SignInMemory>;
  /**
   * Whether this login wrote the memory, and can read it. A sign-in that another one began, before the configuration or the
   * program changed, is over: the PSU begins anew.
   */
  wrote(memory: SignInMemory): boolean;
  /**
   * What a step asks; the same for the same memory, so that a page can be loaded again. Another site is asked to show its own
   * pages in the language of ours, which the PSU may have switched since the step began.
   */
  present(memory: SignInMemory, language: Language): Promise<SignInPage>;
  /** Throws `SignInBusy` when too many sign-ins wait already. */
  take(
    memory: SignInMemory,
    answer: SignInAnswer,
    circumstances: SignInCircumstances,
  ): Promise<SignInOutcome>;
  /** Undefined for someone whom the bank does not know, or no longer knows. */
  find(psu: PsuId): Promise<Psu | undefined>;
}

/** Nobody can sign in at this moment; the PSU may retry soon. Nothing was counted. */
export class SignInBusy extends Error {
  override readonly name = "SignInBusy";

  constructor() {
    super("too many sign-ins are waiting");
  }
}
