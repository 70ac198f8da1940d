import { formToken } from "../forms/form-token.ts";
import type { EnrolmentView, MessageView, SignInView } from "../pages/page-view.ts";
import type { SignInPage } from "../psu/psu-login.ts";
import { findCookie, nameBrowser, PSU_SESSION_COOKIE, placeCookie } from "../psu-session/cookie.ts";
import type { Again, SignInParts, SignInResult, SignInVisit } from "./sign-in.ts";
import { type SignInProgress, STEP_SECONDS } from "./sign-in-progress.ts";
import { placeOf } from "./sign-in-purpose.ts";

/** A page of a sign-in, by the name of its template. */
export type SignInStepView =
  | { readonly show: "sign-in"; readonly view: SignInView }
  | { readonly show: "enrolment"; readonly view: EnrolmentView };

/** Holds the id of a sign-in in progress; it is sent to its own place alone, so that tabs do not meet. */
export const SIGN_IN_COOKIE = "__Secure-sign-in";
/** Says that an answer came when its step was gone; not in the place of the id, which may be that of a later step by now. */
export const LATE_COOKIE = "__Secure-late";
const LATE_SECONDS = 60;

/** What the form of a step is bound to: its place, and the id that its browser alone holds. */
export function stepBinding({ id, purpose }: SignInProgress): readonly string[] {
  return [placeOf(purpose), "sign-in", id];
}

/** The cookies with which a browser carries its sign-in on. */
export function progressCookies(
  { call }: SignInVisit,
  { id, browser, purpose }: SignInProgress,
): readonly string[] {
  const own = placeCookie({ name: SIGN_IN_COOKIE, place: placeOf(purpose) }, id, STEP_SECONDS);
  return [own, ...nameBrowser(call, browser)];
}

/** The cookie with which a sign-in that begins anew says why; one that goes on has no use for it. */
export function lateCookie({ purpose }: SignInVisit): string {
  return placeCookie({ name: LATE_COOKIE, place: placeOf(purpose) }, "1", LATE_SECONDS);
}

/** What a page that only says something offers: the sign-in again, or the way back to the application. */
export function waysOn({ purpose, cancel }: SignInVisit): Pick<MessageView, "retryPath" | "cancel"> {
  return { retryPath: placeOf(purpose), ...(cancel && { cancel: { ...cancel, because: "not_signed_in" } }) };
}

/** Shows what a step asks for; one that is asked elsewhere leads there, unless it has to be said first that it was too late. */
export async function presentStep(
  parts: SignInParts,
  visit: SignInVisit,
  { progress, page, again }: { progress: SignInProgress; page: SignInPage; again: Again },
): Promise<SignInResult> {
  const cookies = progressCookies(visit, progress);
  if (page.page === "elsewhere" && again.isLate)
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
      const anew = again.isLate ? "late" : hasEnded(visit) ? "ended" : undefined;
      const own = { purpose: visit.purpose.kind, anew, username: again.username } as const;
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

/** A browser brings a session that was not let through; an authorization asks everybody to sign in, whoever they are. */
function hasEnded({ purpose, call }: SignInVisit): boolean {
  return purpose.kind !== "authorization" && findCookie(call, PSU_SESSION_COOKIE) !== undefined;
}
