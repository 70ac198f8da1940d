import { requireSingleFields, singleField } from "../forms/form-fields.ts";
import { isFormToken } from "../forms/form-token.ts";
import type { PostedForm } from "../forms/posted-form.ts";
import { readShownFaults } from "../forms/read-shown-faults.ts";
import { requireOwnForm } from "../forms/require-own-form.ts";
import type { FormFault, MessageView } from "../pages/page-view.ts";
import {
  ASSERTION_FIELD,
  type SignedIn,
  type SignInAnswer,
  type SignInOutcome,
  type SignInPage,
} from "../psu/psu-login.ts";
import { findCookie, hostCookie, placeCookie } from "../psu-session/cookie.ts";
import { isFresh } from "../psu-session/psu-session.ts";
import { beginSignIn, findOwnProgress, refusedAt, showStep } from "./show-sign-in.ts";
import type { SignInParts, SignInResult, SignInVisit } from "./sign-in.ts";
import { missingFault, PASSKEY_LATE, PASSKEY_REFUSED, SIGN_IN_FAULTS } from "./sign-in-faults.ts";
import {
  forgetLate,
  lateCookie,
  progressCookies,
  SIGN_IN_COOKIE,
  stepBinding,
  waysOn,
} from "./sign-in-page.ts";
import type { SignInProgress } from "./sign-in-progress.ts";
import { placeOf } from "./sign-in-purpose.ts";

const DEVICE_COOKIE = "__Host-device";
const DEVICE_SECONDS = 400 * 24 * 60 * 60;
const MAX_USERNAME_CHARACTERS = 100;

/** Whether a step may be answered again after a failure, or is over with its first answer (a challenge, another site). */
const TRIES: Readonly<Record<SignInPage["page"], "many" | "one">> = {
  credentials: "many",
  enrolment: "many",
  elsewhere: "one",
};

/** Whether this answer is the last one to its step, as any answer to a challenge is, right or wrong. */
function isUsedUp({ page }: SignInPage, answer: SignInAnswer): boolean {
  return isOfPasskey(answer) || TRIES[page] === "one";
}

function isOfPasskey(answer: SignInAnswer): boolean {
  return answer.kind === "form" && answer.fields[ASSERTION_FIELD] !== undefined;
}

/** Whether nothing was typed, so that no name, password or code can have been wrong. */
function isOfPasskeyAlone(answer: SignInAnswer): boolean {
  return isOfPasskey(answer) && answer.kind === "form" && answer.fields.username === undefined;
}

/** A step with an answer that is known to come from its own browser. */
interface Answered {
  readonly progress: SignInProgress;
  readonly page: SignInPage;
  readonly answer: SignInAnswer;
  /** Time before the answer is judged. */
  readonly now: Date;
}

/**
 * Takes the form of a step. A form whose step is over (an old tab, the back button, a second press) changes nothing and leads to
 * the present step. Refuses with `form_untrusted` or `form_malformed`; throws `SignInBusy`.
 */
export async function takeSignInForm(
  parts: SignInParts,
  visit: SignInVisit,
  form: PostedForm,
): Promise<SignInResult> {
  const progress = await findOwnProgress(parts, visit);
  if (progress === undefined) return leadLate(parts, visit);
  requireSingleFields(form.fields);
  requireOwnForm(form, parts.formKey, stepBinding(progress));
  const answer = { kind: "form", fields: form.fields } as const;
  // Switching the language answers nothing; the typed username is kept, and what was wrong is said again.
  if (singleField(form.fields, "go") === "language")
    return again(parts, visit, { progress, answer }, readShownFaults(form.fields, SIGN_IN_FAULTS));
  return take(parts, visit, { progress, answer });
}

/**
 * Takes the parameters with which another site sends the browser back. A state that is not this browser's changes nothing. A
 * return without the cookie of a step is late: a browser drops the cookie when its time is over, and another browser never had
 * it. A planted return comes with a cookie.
 */
export async function takeSignInReturn(
  parts: SignInParts,
  visit: SignInVisit,
  parameters: URLSearchParams,
): Promise<SignInResult> {
  const progress = await findOwnProgress(parts, visit);
  if (progress === undefined && findCookie(visit.call, SIGN_IN_COOKIE) === undefined)
    return leadLate(parts, visit);
  const states = parameters.getAll("state");
  if (progress === undefined || states.length !== 1 || !isFormToken(states[0], progress.returnState))
    return lead(visit);
  return take(parts, visit, { progress, answer: { kind: "return", parameters } });
}

/** Leads to the page itself, which shows where the sign-in stands; not without cookies, because that would loop forever. */
function lead({ call, purpose }: SignInVisit): SignInResult {
  if (call.header("cookie") === undefined) return { show: "message", view: { message: "cookies_missing" } };
  return { show: "nothing", location: placeOf(purpose) };
}

/**
 * Leads on after an answer whose step is gone. When no later step is under way, the page says why it begins anew: a browser in
 * which a button is pressed twice drops the answer to the first press, with the session in it. A second answer of a browser that
 * has this session needs no message.
 */
async function leadLate({ sessions, clock }: SignInParts, visit: SignInVisit): Promise<SignInResult> {
  const answer = lead(visit);
  if (answer.show !== "nothing") return answer;
  const session = await sessions.find(visit.call);
  if (session !== undefined && isFresh(session, clock.now())) return answer;
  return { ...answer, cookies: [lateCookie(visit)] };
}

/** Leads on after an answer that another one to the same step has overtaken. */
async function leadSecond(
  parts: SignInParts,
  visit: SignInVisit,
  { kind }: SignInAnswer,
): Promise<SignInResult> {
  return kind === "form" ? leadLate(parts, visit) : lead(visit);
}

async function take(
  parts: SignInParts,
  visit: SignInVisit,
  { progress, answer }: Pick<Answered, "progress" | "answer">,
): Promise<SignInResult> {
  const page = await parts.login.present(progress.memory, visit.language);
  const once = isUsedUp(page, answer);
  // Before the answer is judged: an authenticator that the PSU gives up elsewhere meanwhile outdates this sign-in too.
  const now = parts.clock.now();
  if (once && !(await parts.progresses.take(progress))) return leadSecond(parts, visit, answer);
  const outcome = await evaluate(parts, visit, { progress, answer, now });
  const leadsOn = outcome.outcome === "next" || outcome.outcome === "signed-in";
  // Of concurrent answers, which may all be right, one leads on.
  if (leadsOn && !once && !(await parts.progresses.take(progress))) return leadSecond(parts, visit, answer);
  return present(parts, visit, { progress, page, answer, now, outcome });
}

function evaluate(
  { login }: SignInParts,
  { call, language }: SignInVisit,
  { progress, answer, now }: Omit<Answered, "page">,
): Promise<SignInOutcome> {
  const device = findCookie(call, DEVICE_COOKIE);
  const { requestId } = call;
  return login.take(progress.memory, answer, { now, requestId, language, device });
}

async function present(
  parts: SignInParts,
  visit: SignInVisit,
  { outcome, ...answered }: Answered & { readonly outcome: SignInOutcome },
): Promise<SignInResult> {
  switch (outcome.outcome) {
    case "signed-in":
      return enter(parts, visit, { authenticatedAt: answered.now, ...outcome });
    case "next": {
      const { browser, purpose, returnState } = answered.progress;
      const { memory } = outcome;
      const next = await parts.progresses.keep({ browser, purpose, returnState, memory });
      const cookies = progressCookies(visit, next, parts.clock.now());
      return { show: "nothing", location: placeOf(purpose), cookies };
    }
    case "incomplete":
      return tryAgain(parts, visit, answered, () => outcome.missing.map(missingFault));
    case "late":
      return tryAgain(parts, visit, answered, () => [PASSKEY_LATE]);
    case "refused":
      return tryAgain(parts, visit, answered, (page) => [
        isOfPasskeyAlone(answered.answer) ? PASSKEY_REFUSED : refusedAt(page),
      ]);
    case "blocked":
      return { show: "message", view: blockedView(visit, answered.answer, outcome.until) };
  }
}

/**
 * Ends the sign-in: what it was for goes on, in a session under a new id (session fixation, UI-05). The session is opened first,
 * so that nothing rests on a sign-in that no sign-out would end.
 */
async function enter(
  parts: SignInParts,
  visit: SignInVisit,
  signedIn: SignedIn & { readonly authenticatedAt: Date },
): Promise<SignInResult> {
  const { psu, methods, device, authenticatedAt } = signedIn;
  const session = await parts.sessions.begin(visit.call, { psu, methods, authenticatedAt });
  const location = await visit.finish({ ...signedIn, signIn: session.signIn });
  const over = placeCookie({ name: SIGN_IN_COOKIE, place: placeOf(visit.purpose) }, "", 0);
  const known = device === undefined ? [] : [hostCookie(DEVICE_COOKIE, device, DEVICE_SECONDS)];
  return {
    show: "nothing",
    location,
    cookies: [over, ...forgetLate(visit), ...session.cookies, ...known],
  };
}

/**
 * Gives one answer for whatever was wrong. A step that is over begins the sign-in anew; the browser is not sent to another site
 * unasked.
 */
async function tryAgain(
  parts: SignInParts,
  visit: SignInVisit,
  answered: Answered,
  faultsAt: (page: SignInPage) => readonly FormFault[],
): Promise<SignInResult> {
  if (!isUsedUp(answered.page, answered.answer)) {
    // A code that is wrong only because a first press has just used it: its step is gone, and cannot be answered again.
    if ((await findOwnProgress(parts, visit)) === undefined) return leadLate(parts, visit);
    return again(parts, visit, answered, faultsAt(answered.page));
  }
  const progress = await beginSignIn(parts, visit);
  const page = await parts.login.present(progress.memory, visit.language);
  if (page.page !== "elsewhere") return again(parts, visit, { ...answered, progress }, faultsAt(page));
  const view: MessageView = { message: "sign_in_refused", ...waysOn(visit) };
  return { show: "message", view, cookies: progressCookies(visit, progress, parts.clock.now()) };
}

function again(
  parts: SignInParts,
  visit: SignInVisit,
  { progress, answer }: Pick<Answered, "progress" | "answer">,
  faults: readonly FormFault[],
): Promise<SignInResult> {
  const typed = answer.kind === "form" ? singleField(answer.fields, "username") : "";
  return showStep(parts, visit, progress, { username: typed.slice(0, MAX_USERNAME_CHARACTERS), faults });
}

/** The message names what the failures were counted for. */
function blockedView(visit: SignInVisit, answer: SignInAnswer, time: Date): MessageView {
  const message = isOfPasskeyAlone(answer) ? "passkey_blocked" : "sign_in_blocked";
  return { message, fillings: { time }, ...waysOn(visit) };
}
