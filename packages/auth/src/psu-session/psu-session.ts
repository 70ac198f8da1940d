/**
 * Our own browser session of a PSU, beside the OAuth provider's: what a sign-in opens in the browser in which it was done. It
 * owns how long that lasts and how it ends; it does not own what may be done with it. An authorization never rests on a
 * session: each has a sign-in of its own, which counts longer than the session that it opened, and ends with the sign-out.
 */
import type { PsuId } from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import type { SignInMethod } from "../psu/psu-login.ts";

/** A PSU who was authenticated strongly in this browser. */
export interface PsuSession {
  readonly psu: PsuId;
  readonly authenticatedAt: Date;
  readonly methods: readonly SignInMethod[];
}

/** A session as its browser holds it; `id` is a bearer secret, for binding forms to it and nothing else. */
export interface OpenPsuSession extends PsuSession {
  readonly id: string;
}

/** One sign-in of a PSU, for what rests on it beside the session; `id` opens nothing. */
export interface SignInOfPsu {
  readonly psu: PsuId;
  readonly id: string;
}

/** The same with when its PSU was authenticated strongly. */
export interface DatedSignIn extends SignInOfPsu {
  readonly authenticatedAt: Date;
}

/** What of a call tells its session. */
export type SessionCall = Pick<IncomingCall, "header">;

/** `Set-Cookie` lines of an answer. */
export interface SessionCookies {
  readonly cookies: readonly string[];
}

/** A session that goes on: the id that it has now, and the cookie with which its browser gets a new one. */
export interface RenewedSession extends SessionCookies {
  readonly id: string;
}

/** What a sign-in has opened: the session, for the browser to hold, and the id of the sign-in. */
export interface BegunSession extends SessionCookies {
  readonly signIn: string;
}

/**
 * The sessions of all browsers, with the sign-ins that opened them. Nothing revives either.
 *
 * A session ends
 * - five minutes after its last request (RTS Article 4(3)(d)), and an hour after its sign-in;
 * - when its PSU signs out, is blocked, or gives up an authenticator in another browser;
 * - when somebody signs in anew in the same browser: a browser has one.
 *
 * A sign-in counts
 * - until it is used;
 * - until its PSU signs out in its browser, also when that has a newer session meanwhile;
 * - until somebody else signs in there;
 * - until its PSU gives up an authenticator in another browser.
 */
export interface PsuSessions {
  /** The session of this browser, which lives on from now; undefined when there is none. */
  find(call: SessionCall): Promise<OpenPsuSession | undefined>;
  /** Opens one under a new id, and ends the one that the browser had (session fixation, UI-05). */
  begin(call: SessionCall, session: PsuSession): Promise<BegunSession>;
  /** Signs out: all sessions and sign-ins of this browser end, however many were begun at once; also where it has no session. */
  end(call: SessionCall): Promise<SessionCookies>;
  /**
   * Ends all others of the same PSU, because what they were opened with may count no more (OWASP ASVS 7.4.3). Of two that end
   * each other at once neither goes on. One that goes on does so under another id, for exactly one of any number of callers:
   * whoever has copied the former id has nothing then.
   */
  endOthers(session: Pick<OpenPsuSession, "id" | "psu">): Promise<RenewedSession>;
  /** Whether a sign-in counts. How old it is, and whether its PSU was blocked, is for others to ask. */
  counts(signIn: SignInOfPsu): Promise<boolean>;
  /**
   * Whether a sign-in counts, but this browser has not the present session of the stay that it belongs to: whatever rests on it
   * does not go on here. What a browser had before its PSU signed in there is not enough (session fixation, UI-05), nor the id
   * that a session had before it went on under another one.
   */
  countsElsewhere(call: SessionCall, signIn: SignInOfPsu): Promise<boolean>;
  /**
   * Uses a sign-in that counts: true for exactly one of any number of callers, in any process. Of a sign-out at the same
   * moment either comes first: afterwards it is true for nobody.
   */
  use(signIn: SignInOfPsu): Promise<boolean>;
}

/** So long after a sign-in a consent may rest on it (RTS Article 4(3)(d)), or an order (EBA/OP/2020/10, Payments). */
const FRESH_MILLISECONDS = 5 * 60 * 1000;

/** When the strong authentication of a session, or one that an authorization rests on, is five minutes old. */
export function endOfFreshness({ authenticatedAt }: Pick<PsuSession, "authenticatedAt">): Date {
  return new Date(authenticatedAt.getTime() + FRESH_MILLISECONDS);
}

/** Whether it is not older than five minutes. */
export function isFresh(session: Pick<PsuSession, "authenticatedAt">, now: Date): boolean {
  return now < endOfFreshness(session);
}
