/**
 * A page for a signed-in PSU, with its forms: "my consents", the authenticator page. It puts the sign-in before the
 * page; each such page is one file that says what it shows and which forms it takes.
 */
import type { IncomingCall, Route } from "@cobs/service-edge";
import { formToken } from "../../forms/form-token.ts";
import { type PostedForm, readPostedForm } from "../../forms/posted-form.ts";
import { isOwnForm, ownOrigin, requireOwnForm } from "../../forms/require-own-form.ts";
import type { FormTarget } from "../../pages/page-view.ts";
import type { Pages } from "../../pages/pages.ts";
import { findCookie, PSU_SESSION_COOKIE } from "../../psu-session/cookie.ts";
import { type Done, doneCookie, findDone, forgetDone } from "../../psu-session/done-cookie.ts";
import type { OpenPsuSession } from "../../psu-session/psu-session.ts";
import { showSignIn } from "../../sign-in/show-sign-in.ts";
import type { SignInParts, SignInVisit } from "../../sign-in/sign-in.ts";
import { endedCookies } from "../../sign-in/sign-in-page.ts";
import { placeOf, type SignInPurpose } from "../../sign-in/sign-in-purpose.ts";
import { takeSignInForm, takeSignInReturn } from "../../sign-in/take-answer.ts";
import { type CountingParts, countNewSignIn, countSignIn } from "../count-visits.ts";
import { answerPage, type PageAnswer, signInAnswer } from "./answer-page.ts";
import { chooseLanguage } from "./choose-language.ts";
import { leadTo } from "./lead-to.ts";

/** What every page for a signed-in PSU needs. */
export interface SignedInPageParts extends SignInParts, CountingParts {
  readonly pages: Pages;
}

/** A signed-in PSU at a page. */
export interface SignedInVisit {
  readonly call: IncomingCall;
  readonly session: OpenPsuSession;
  /** Our own origin, for the PSU to compare with the address bar; undefined when they sign in at another site. */
  readonly ownOrigin: string | undefined;
  /** The address of a form of this page, with the token that only this page has in this session. */
  target(form: string): FormTarget;
  /** What was just done here, for the page to say. */
  readonly done: Done | undefined;
  /** Makes the cookie with which a redirect back here says what was done; `to` is the session under its new id. */
  noteDone(done: Done, to?: Pick<OpenPsuSession, "id">): string;
}

/** One page with its forms. */
export interface SignedInPage {
  /** Purpose of its sign-in; the page is at that purpose's path (`placeOf`). */
  readonly purpose: SignInPurpose;
  /** Whether a session suffices for this page; if missing, any live one does. */
  readonly admits?: (session: OpenPsuSession) => boolean;
  readonly show: (visit: SignedInVisit) => Promise<PageAnswer>;
  /** Handlers by the last part of the form's path; source and token of the form have been checked. */
  readonly forms: Readonly<Record<string, (visit: SignedInVisit, form: PostedForm) => Promise<PageAnswer>>>;
}

/** Name of the form that every such page has. */
const SIGN_OUT = "sign-out";

/** Makes the routes of a page: itself, its forms, its sign-in with the return from elsewhere, and signing out. */
export function createSignedInPage(parts: SignedInPageParts, page: SignedInPage): readonly Route[] {
  const path = placeOf(page.purpose);
  const answer = (call: IncomingCall, go: () => Promise<PageAnswer>) =>
    answerPage(parts, call, async () => ({ ...(await go()), path }));
  const route = (
    method: "GET" | "POST",
    name: string,
    go: (call: IncomingCall) => Promise<PageAnswer>,
  ): Route => ({
    method,
    path: `${path}${name}`,
    ...(method === "POST" && { body: "form" }),
    handle: (call) => answer(call, () => go(call)),
  });
  return [
    route("GET", "", (call) => show(parts, page, call)),
    route("POST", "/sign-in", async (call) => {
      await countSignIn(parts, call);
      return signInAnswer(await takeSignInForm(parts, signInOf(page, call), readPostedForm(call)));
    }),
    route("GET", "/return", async (call) => {
      await countSignIn(parts, call);
      return signInAnswer(await takeSignInReturn(parts, signInOf(page, call), call.query));
    }),
    ...Object.keys(page.forms).map((form) =>
      route("POST", `/${form}`, (call) => takeForm(parts, { page, form }, call)),
    ),
    ...["sign-in", ...Object.keys(page.forms)].map((form) => leadTo(`${path}/${form}`, () => path)),
  ];
}

async function show(parts: SignedInPageParts, page: SignedInPage, call: IncomingCall): Promise<PageAnswer> {
  const visit = await findVisit(parts, page, call);
  if (visit !== undefined) return sayOnce(visit, placeOf(page.purpose), await page.show(visit));
  const admitNew = () => countNewSignIn(parts, call);
  return signInAnswer(await showSignIn(parts, { ...signInOf(page, call), admitNew }));
}

function sayOnce({ done }: SignedInVisit, place: string, answer: PageAnswer): PageAnswer {
  return done === undefined
    ? answer
    : { ...answer, cookies: [...(answer.cookies ?? []), forgetDone({ place })] };
}

/**
 * Takes a posted form; after the session has ended, drops it and redirects to the sign-in, which says so. A sign-out is taken all
 * the same: sign-ins outlast an idle session, and of a button pressed twice only the second answer is seen.
 */
async function takeForm(
  parts: SignedInPageParts,
  { page, form }: { readonly page: SignedInPage; readonly form: string },
  call: IncomingCall,
): Promise<PageAnswer> {
  // A PSU can sign out even with a session that is too old for the page.
  const visit = await findVisit(parts, form === SIGN_OUT ? { purpose: page.purpose } : page, call);
  const take = page.forms[form];
  const posted = readPostedForm(call);
  if (visit === undefined && form === SIGN_OUT && isOfEndedSession(parts, page, { call, posted }))
    return signOut(parts, { call });
  if (visit === undefined || take === undefined) {
    const cookies = form === SIGN_OUT ? [] : endedCookies(page.purpose, posted);
    return { show: "nothing", location: placeOf(page.purpose), cookies };
  }
  requireOwnForm(posted, parts.formKey, bindingOf(placeOf(page.purpose), form, visit.session));
  return take(visit, posted);
}

/** Whether a sign-out belongs to the session that its browser still names: the form is bound to the id, which outlasts it. */
function isOfEndedSession(
  { formKey }: SignedInPageParts,
  { purpose }: SignedInPage,
  { call, posted }: { readonly call: IncomingCall; readonly posted: PostedForm },
): boolean {
  const id = findCookie(call, PSU_SESSION_COOKIE);
  return id !== undefined && isOwnForm(posted, formKey, bindingOf(placeOf(purpose), SIGN_OUT, { id }));
}

async function findVisit(
  parts: SignedInPageParts,
  page: Pick<SignedInPage, "purpose" | "admits">,
  call: IncomingCall,
): Promise<SignedInVisit | undefined> {
  const session = await parts.sessions.find(call);
  if (session === undefined || page.admits?.(session) === false) return undefined;
  const path = placeOf(page.purpose);
  const target = (form: string) => ({
    action: `${path}/${form}`,
    token: formToken(parts.formKey, bindingOf(path, form, session)),
  });
  const { formKey } = parts;
  const here = { place: path, session };
  return {
    call,
    session,
    ownOrigin: parts.login.asks === "here" ? ownOrigin(call) : undefined,
    target,
    done: findDone(formKey, here, call),
    noteDone: (done, to = session) => doneCookie(formKey, { ...here, session: to }, done),
  };
}

function bindingOf(path: string, form: string, { id }: Pick<OpenPsuSession, "id">): readonly string[] {
  return [path, form, id];
}

/** Describes the sign-in of a page; no application asks for it, so it cannot be cancelled. */
function signInOf({ purpose }: SignedInPage, call: IncomingCall): SignInVisit {
  const unasked = { asking: async () => undefined, cancel: undefined, waitsUntil: undefined };
  const visit = { purpose, call, ownOrigin: ownOrigin(call), language: chooseLanguage(call) };
  return { ...visit, ...unasked, finish: async () => placeOf(purpose) };
}

/** Ends the session of this browser; every such page has this form. */
export async function signOut(
  { sessions }: Pick<SignedInPageParts, "sessions">,
  { call }: Pick<SignedInVisit, "call">,
): Promise<PageAnswer> {
  const { cookies } = await sessions.end(call);
  return { show: "message", view: { message: "signed_out" }, cookies };
}
