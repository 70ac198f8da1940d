/** The pages' list of routes, and the only place where an answer of the journey becomes a status. */
import type { Language } from "@cobs/cobs-model";
import { type Answer, EdgeRefusal, type IncomingCall, type Route } from "@cobs/service-edge";
import { showStep, takeForm } from "../journey/dispatch.ts";
import { readFormFields } from "../journey/form-fields.ts";
import type { FormPurpose } from "../journey/form-token.ts";
import { interactionPath } from "../journey/interaction-path.ts";
import type { JourneyAnswer, JourneyParts, Visit } from "../journey/journey.ts";
import {
  type PendingAuthorization,
  PendingAuthorizationGone,
  type PendingAuthorizations,
} from "../journey/pending-authorization.ts";
import { ownOrigin, readFormSource } from "../journey/require-own-form.ts";
import type { ReadAddress } from "../limits/caller-address.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { MessageView } from "../pages/page-view.ts";
import type { Pages } from "../pages/pages.ts";
import type { MessageKey } from "../pages/texts/texts.ts";
import { chooseLanguage, findSwitchedLanguage, languageCookie } from "./choose-language.ts";
import { presentPageError } from "./present-page-error.ts";

/** What the routes of the pages need. */
export interface PageRouteParts extends JourneyParts {
  readonly pages: Pages;
  readonly pendingAuthorizations: PendingAuthorizations;
  readonly limits: RateLimits;
  readonly addressOf: ReadAddress;
}

const INTERACTION = "/oauth/interaction/:uid";
const FORMS: readonly FormPurpose[] = ["sign-in", "consent", "cancel"];
/** A form that was understood, but not good enough (RFC 9110 15.5.21). */
const FORM_AT_FAULT = 422;
const MESSAGE_STATUS: Readonly<Partial<Record<MessageKey, number>>> = {
  accounts_unavailable: 503,
  cookies_missing: 400,
  session_idle: 403,
  sign_in_blocked: 429,
};
const KEPT_FOR_EVER = "public, max-age=31536000, immutable";

/** The interaction page, its three forms, and the stylesheet. */
export function createPageRoutes(parts: PageRouteParts): readonly Route[] {
  const page: Route = {
    method: "GET",
    path: INTERACTION,
    body: "none",
    handle: (call) => answerVisit(parts, call, { go: (visit) => showStep(parts, visit) }),
  };
  const forms = FORMS.map(
    (purpose): Route => ({
      method: "POST",
      path: `${INTERACTION}/${purpose}`,
      body: "form",
      handle: (call) =>
        answerVisit(parts, call, {
          ...(purpose === "sign-in" && { admit: () => countSignIn(parts, call) }),
          go: (visit) => takeForm(parts, visit, postedForm(call, purpose)),
        }),
    }),
  );
  // The address bar shows where a form went; asking for that again leads to the page of the present step.
  const lost = FORMS.map(
    (purpose): Route => ({
      method: "GET",
      path: `${INTERACTION}/${purpose}`,
      body: "none",
      handle: async (call) => ({ status: 303, headers: { Location: pathOf(call) } }),
    }),
  );
  const asset: Route = {
    method: "GET",
    path: "/assets/:file",
    body: "none",
    handle: async (call) => answerAsset(parts.pages, call.parameters.file),
  };
  return [page, ...forms, ...lost, asset];
}

/** Also of many usernames only so many are tried from one address. */
async function countSignIn({ limits, addressOf }: PageRouteParts, call: IncomingCall): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) await limits.count([{ limit: "sign_in_address", of: address }]);
}

function postedForm(call: IncomingCall, purpose: FormPurpose) {
  return { purpose, fields: readFormFields(call.body), source: readFormSource(call) };
}

/** What is done at a visit: what may refuse it before anything is looked up, and what the journey answers. */
interface VisitHandling {
  readonly admit?: () => Promise<void>;
  readonly go: (visit: Visit) => Promise<JourneyAnswer>;
}

/** Finds what this browser has pending, lets the journey answer, and presents that or its failure in one language. */
async function answerVisit(
  parts: PageRouteParts,
  call: IncomingCall,
  { admit, go }: VisitHandling,
): Promise<Answer> {
  let language = chooseLanguage(call);
  try {
    await admit?.();
    const pending = await parts.pendingAuthorizations.find(call.exchange);
    if (pending === undefined || pending.uid !== call.parameters.uid)
      return nothingPending(parts, call, language);
    language = chooseLanguage(call, pending.uiLocales);
    return present(parts, { call, language }, await go(visitOf(parts, call, pending)));
  } catch (error) {
    const failed = { requestId: call.requestId, path: call.path, language };
    const { answer, logFacts } = presentPageError(parts.pages, error, failed);
    return { ...answer, facts: logFacts };
  }
}

function visitOf(
  { pendingAuthorizations }: PageRouteParts,
  call: IncomingCall,
  pending: PendingAuthorization,
): Visit {
  const { exchange } = call;
  return {
    pending,
    ownOrigin: ownOrigin(call),
    finish: {
      answered: () => pendingAuthorizations.answered(exchange),
      signIn: (psu) => pendingAuthorizations.completeSignIn(exchange, psu),
      consent: (decision) => pendingAuthorizations.completeConsent(call, decision),
      decline: () => pendingAuthorizations.abort(exchange, "access_denied", "the PSU declined"),
    },
  };
}

/** A browser that sends no cookie at all most likely refuses them: that has another remedy. */
function nothingPending(parts: PageRouteParts, call: IncomingCall, language: Language): Answer {
  if (call.header("cookie") !== undefined) throw new PendingAuthorizationGone();
  return presentMessage(parts, { call, language }, { message: "cookies_missing" });
}

interface Presentation {
  readonly call: IncomingCall;
  readonly language: Language;
}

function present(parts: PageRouteParts, to: Presentation, answer: JourneyAnswer): Answer {
  switch (answer.show) {
    case "nothing":
      // 303: a browser must not post credentials on to the next place (RFC 9700 4.12).
      return { status: 303, headers: { Location: answer.location } };
    case "message":
      return presentMessage(parts, to, answer.view);
    case "sign-in":
      return presentStep(to, parts.pages.signIn(frameOf(to), answer.view), answer);
    case "consent":
      return presentStep(to, parts.pages.consent(frameOf(to), answer.view), answer);
  }
}

function presentStep(
  to: Presentation,
  html: string,
  { show, view }: Extract<JourneyAnswer, { show: "sign-in" | "consent" }>,
): Answer {
  const faults = view.faults.map(({ key }) => key);
  const status = faults.length === 0 ? 200 : FORM_AT_FAULT;
  return { status, html, headers: rememberLanguage(to), facts: { page: show, faults } };
}

function presentMessage(parts: PageRouteParts, to: Presentation, view: MessageView): Answer {
  const html = parts.pages.message(frameOf(to), { requestId: to.call.requestId, ...view });
  const status = MESSAGE_STATUS[view.message] ?? 200;
  const headers = { ...rememberLanguage(to), ...retryAfter(view, parts.clock.now()) };
  return { status, html, headers, facts: { page: view.message } };
}

function retryAfter({ message, fillings }: MessageView, now: Date): Record<string, string> {
  if (message === "accounts_unavailable") return { "Retry-After": "2" };
  const time = fillings?.time;
  if (!(time instanceof Date)) return {};
  return { "Retry-After": String(Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000))) };
}

function frameOf({ call, language }: Presentation) {
  return { language, switchPath: pathOf(call) };
}

function pathOf(call: IncomingCall): string {
  return interactionPath({ uid: call.parameters.uid ?? "" });
}

function rememberLanguage({ call }: Presentation): Record<string, string> {
  const switched = findSwitchedLanguage(call);
  return switched === undefined ? {} : { "Set-Cookie": languageCookie(switched) };
}

function answerAsset({ stylesheet }: Pages, file: string | undefined): Answer {
  if (file !== stylesheet.fileName) throw new EdgeRefusal("route_unknown", "there is nothing at this path");
  return { status: 200, headers: { "Cache-Control": KEPT_FOR_EVER }, content: stylesheet };
}
