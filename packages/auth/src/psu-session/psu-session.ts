/**
 * Our own browser session of a PSU, beside the OAuth provider's: what a sign-in opens in the browser in which it was done. It
 * owns how long that lasts and how it ends; it does not own what may be done with it. An authorization never rests on it:
 * each has a sign-in of its own.
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

/** What of a call tells its session. */
export type SessionCall = Pick<IncomingCall, "header">;

/** `Set-Cookie` lines of an answer. */
export interface SessionCookie {
  readonly cookie: string;
}

/**
 * The sessions of all browsers. One ends five minutes after its last request (RTS Article 4(3)(d)), an hour after its
 * sign-in, when the PSU signs out, is blocked, or gives up an authenticator in another browser, and when somebody signs in
 * anew in the same browser; nothing revives it.
 */
export interface PsuSessions {
  /** The session of this browser, which lives on from now; undefined when there is none. */
  find(call: SessionCall): Promise<OpenPsuSession | undefined>;
  /** Opens one under a new id, and ends the one that the browser had (session fixation, UI-05). */
  begin(call: SessionCall, session: PsuSession): Promise<SessionCookie>;
  /** Signs out; also for a browser that has no session. */
  end(call: SessionCall): Promise<SessionCookie>;
  /** Ends all others of the same PSU, because what they were opened with may count no more (OWASP ASVS 7.4.3). */
  endOthers(session: Pick<OpenPsuSession, "id" | "psu">): Promise<void>;
}

/** So long after a sign-in an order is approved without another one (EBA/OP/2020/10, Payments). */
const FRESH_MILLISECONDS = 5 * 60 * 1000;

/** Whether the strong authentication of a session is not older than five minutes. */
export function isFresh({ authenticatedAt }: Pick<PsuSession, "authenticatedAt">, now: Date): boolean {
  return now.getTime() < authenticatedAt.getTime() + FRESH_MILLISECONDS;
}
