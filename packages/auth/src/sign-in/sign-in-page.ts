import { formToken } from "../forms/form-token.ts";
import type { PostedForm } from "../forms/posted-form.ts";
import { isOwnSource } from "../forms/require-own-form.ts";
import type { EnrolmentView, MessageView, SignInView } from "../pages/page-view.ts";
import type { SignInPage } from "../psu/psu-login.ts";
import { findCookie, nameBrowser, PSU_SESSION_COOKIE, placeCookie } from "../psu-session/cookie.ts";
import type { Again, SignInParts, SignInResult, SignInVisit } from "./sign-in.ts";
import type { SignInProgress } from "./sign-in-progress.ts";
import { placeOf, type SignInPurpose } from "./sign-in-purpose.ts";

/** A page of a sign-in, by the name of its template. */
export type SignInStepView =
  | { readonly show: "sign-in"; readonly view: SignInView }
  | { readonly show: "enrolment"; readonly view: EnrolmentView };

/** Holds the id of a sign-in in progress. It is sent only to its own place, so that tabs do not disturb each other. */
export const SIGN_IN_COOKIE = "__Secure-sign-in";
/**
 * Tells the next page that an answer came after its step was gone, or a form after the session was. Not stored in place of the
 * id, which may by now be that of a later step.
 */
const LATE_COOKIE = "__Secure-late";
const LATE_SECONDS = 60;
const LATE = { late: "1", used: "used" } as const;
const ENDED = "ended";

/** What the form of a step is bound to: its place, and the id that only its browser holds. */
export function stepBinding({ id, purpose }: SignInProgress): readonly string[] {
  return [placeOf(purpose), "sign-in", id];
}

/** The cookies with which a browser continues its sign-in; that of the step ends with it, however often its page is shown. */
export function progressCookies(
  { call }: SignInVisit,
  { id, browser, purpose, endsAt }: SignInProgress,
  now: Date,
): readonly string[] {
  const left = Math.max(0, Math.floor((endsAt.getTime() - now.getTime()) / 1000));
  const own = placeCookie({ name: SIGN_IN_COOKIE, place: placeOf(purpose) }, id, left);
  return [own, ...nameBrowser(call, browser)];
}

/**
 * The cookie that makes a new sign-in say why it began anew; a sign-in that goes on ignores it. A browser keeps the cookie of a
 * step for the step's time: what it sends without one is late, and the step of what it sends with one was used or ended before.
 */
export function lateCookie({ purpose, call }: SignInVisit): string {
  const why = findCookie(call, SIGN_IN_COOKIE) === undefined ? LATE.late : LATE.used;
  return placeCookie({ name: LATE_COOKIE, place: placeOf(purpose) }, why, LATE_SECONDS);
}

/** What this browser was told about an answer that came after its step was gone; undefined when it was told nothing. */
export function findLate({ call }: SignInVisit): Again["late"] {
  const why = findCookie(call, LATE_COOKIE);
  return why === LATE.late ? "late" : why === LATE.used ? "used" : undefined;
}

/**
 * The cookie that makes the sign-in say so when a form came without a session: a sign-out leaves nothing else to tell it by. None
 * for a form that another site sent.
 */
export function endedCookies(purpose: SignInPurpose, { source }: PostedForm): readonly string[] {
  if (!isOwnSource(source)) return [];
  return [placeCookie({ name: LATE_COOKIE, place: placeOf(purpose) }, ENDED, LATE_SECONDS)];
}

/** Ends what either of these cookies would say, if the browser has one. */
export function forgetLate({ call, purpose }: SignInVisit): readonly string[] {
  if (findCookie(call, LATE_COOKIE) === undefined) return [];
  return [placeCookie({ name: LATE_COOKIE, place: placeOf(purpose) }, "", 0)];
}

/** The ways on from a page that only says something: the sign-in again, or back to the application. */
export function waysOn({ purpose, cancel }: SignInVisit): Pick<MessageView, "retryPath" | "cancel"> {
  return { retryPath: placeOf(purpose), ...(cancel && { cancel: { ...cancel, because: "not_signed_in" } }) };
}

/** Shows what a step asks for, or redirects to the site that asks it; a late answer there is reported on a page first. */
export async function presentStep(
  parts: SignInParts,
  visit: SignInVisit,
  { progress, page, again }: { progress: SignInProgress; page: SignInPage; again: Again },
): Promise<SignInResult> {
  const cookies = progressCookies(visit, progress, parts.clock.now());
  if (page.page === "elsewhere" && again.late !== undefined)
    return { show: "message", view: { message: "sign_in_late", ...waysOn(visit) }, cookies };
  if (page.page === "elsewhere") return { show: "nothing", location: page.location, cookies };
  const shared = {
    asking: await visit.asking(),
    origin: visit.ownOrigin,
    form: {
      action: `${placeOf(visit.purpose)}/sign-in`,
      token: formToken(parts.formKey, stepBinding(progress)),
    },
    cancel: visit.cancel,
    faults: again.faults,
  };
  switch (page.page) {
    case "credentials": {
      const anew = again.late ?? (hasEnded(visit) ? "ended" : undefined);
      const { kind } = visit.purpose;
      const signInBy = kind === "authorization" ? visit.waitsUntil : undefined;
      const own = { purpose: kind, anew, signInBy, username: again.username } as const;
      const view = { ...shared, ...own, ...(page.passkey && { passkey: page.passkey }) };
      return { show: "sign-in", view, cookies };
    }
    case "enrolment": {
      const confirmBy = firstOf(progress.endsAt, visit.waitsUntil);
      return {
        show: "enrolment",
        view: { ...shared, uri: page.uri, secret: page.secret, confirmBy },
        cookies,
      };
    }
  }
}

function firstOf(one: Date, other: Date | undefined): Date {
  return other !== undefined && other < one ? other : one;
}

/**
 * Whether the browser sent a session that was not accepted, or a form without one. Never true for an authorization, which asks
 * everybody to sign in.
 */
function hasEnded({ purpose, call }: SignInVisit): boolean {
  if (purpose.kind === "authorization") return false;
  return findCookie(call, PSU_SESSION_COOKIE) !== undefined || findCookie(call, LATE_COOKIE) === ENDED;
}
