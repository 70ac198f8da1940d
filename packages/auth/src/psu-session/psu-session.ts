/**
 * Our own browser session of a PSU, beside the OAuth provider's: a sign-in opens it in its browser. This folder owns how long a
 * session lasts and how it ends, not what may be done with it. An authorization never rests on a session: each has a sign-in of
 * its own, which counts longer than the session that it opened, and ends with the sign-out.
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

/** One sign-in of a PSU, for what rests on it besides the session; `id` opens nothing. */
export interface SignInOfPsu {
  readonly psu: PsuId;
  readonly id: string;
}

/** A sign-in with the time when its PSU was authenticated strongly. */
export interface DatedSignIn extends SignInOfPsu {
  readonly authenticatedAt: Date;
}

/** The part of a call that identifies its session. */
export type SessionCall = Pick<IncomingCall, "header">;

/** `Set-Cookie` lines of a response. */
export interface SessionCookies {
  readonly cookies: readonly string[];
}

/** A session that goes on: its present id, and the cookie that gives its browser a new one. */
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
 * - when somebody signs in anew in the same browser, which has one session at a time.
 *
 * A sign-in counts
 * - until it is used;
 * - until its PSU signs out in its browser, even if that has a newer session meanwhile;
 * - until somebody else signs in there;
 * - until its PSU gives up an authenticator in another browser.
 */
export interface PsuSessions {
  /** The session of this browser, whose idle time starts anew; undefined when there is none. */
  find(call: SessionCall): Promise<OpenPsuSession | undefined>;
  /** Opens a session under a new id, and ends the one that the browser had (session fixation, UI-05). */
  begin(call: SessionCall, session: PsuSession): Promise<BegunSession>;
  /**
   * Signs out: ends all sessions and sign-ins of this browser, however many were begun at once, even if it has no session now.
   */
  end(call: SessionCall): Promise<SessionCookies>;
  /**
   * Ends all other sessions of the same PSU, because the means that opened them may no longer count (OWASP ASVS 7.4.3). Of two
   * sessions that end each other at once, neither goes on. One that goes on gets another id, for exactly one of any number of
   * callers: a copy of the former id is then worthless.
   */
  endOthers(session: Pick<OpenPsuSession, "id" | "psu">): Promise<RenewedSession>;
  /** Whether a sign-in counts. The caller checks how old it is, and whether its PSU was blocked. */
  counts(signIn: SignInOfPsu): Promise<boolean>;
  /**
   * Whether a sign-in counts, but this browser does not have the present session of its stay: then nothing that rests on the
   * sign-in goes on here. What a browser had before its PSU signed in there is not enough (session fixation, UI-05), nor is the
   * id that a session had before it was renewed.
   */
  countsElsewhere(call: SessionCall, signIn: SignInOfPsu): Promise<boolean>;
  /**
   * Uses a sign-in that counts: true for exactly one of any number of callers, in any process. A concurrent sign-out comes either
   * before or after; once it has come, this is true for nobody.
   */
  use(signIn: SignInOfPsu): Promise<boolean>;
}

/** How long after a sign-in a consent may rest on it (RTS Article 4(3)(d)), or an order (EBA/OP/2020/10, Payments). */
const FRESH_MILLISECONDS = 5 * 60 * 1000;

/** When the strong authentication of a session, or of an authorization, becomes five minutes old. */
export function endOfFreshness({ authenticatedAt }: Pick<PsuSession, "authenticatedAt">): Date {
  return new Date(authenticatedAt.getTime() + FRESH_MILLISECONDS);
}

/** Whether the authentication is less than five minutes old. */
export function isFresh(session: Pick<PsuSession, "authenticatedAt">, now: Date): boolean {
  return now < endOfFreshness(session);
}
