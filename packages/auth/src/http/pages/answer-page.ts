/** The one place where a page route's decision becomes a status, headers and HTML. Every page route answers with it. */
import type { Language } from "@cobs/cobs-model";
import type { Answer, Clock, IncomingCall } from "@cobs/service-edge";
import type { FormFault, MessageView, PageFrame } from "../../pages/page-view.ts";
import type { Pages } from "../../pages/pages.ts";
import type { MessageKey } from "../../pages/texts/texts.ts";
import type { SignInResult } from "../../sign-in/sign-in.ts";
import { type CountingParts, countPage } from "../count-visits.ts";
import { chooseLanguage, findSwitchedLanguage, languageCookie } from "./choose-language.ts";
import { presentPageError } from "./present-page-error.ts";

/** What answering with a page needs. */
export interface AnswerPageParts extends CountingParts {
  readonly pages: Pages;
  readonly clock: Clock;
}

/** A route's decision: a page of its own, a page with only a message, or a redirect. */
export type PageAnswer = { readonly cookies?: readonly string[] } & (
  | {
      readonly show: "page";
      /** Name of the page in the log. */
      readonly name: string;
      readonly render: (pages: Pages, frame: PageFrame) => string;
      /** Faults of the posted form. */
      readonly faults?: readonly FormFault[];
      /** The page's message, if that has its own status. */
      readonly said?: Said;
    }
  | { readonly show: "message"; readonly view: MessageView }
  | { readonly show: "nothing"; readonly location: string }
);

/** A message, and until when it applies. */
interface Said {
  readonly message: MessageKey;
  readonly until?: Date | undefined;
}

/** A form that was understood, but has faults (RFC 9110 15.5.21). */
const FORM_AT_FAULT = 422;
const MESSAGE_STATUS: Readonly<Partial<Record<MessageKey, number>>> = {
  accounts_unavailable: 503,
  consent_unknown: 404,
  cookies_missing: 400,
  passkey_blocked: 429,
  session_idle: 403,
  sign_in_blocked: 429,
  sign_in_late: 403,
  sign_in_refused: 403,
  signing_code_undelivered: 503,
  signing_held_off: 429,
  signing_tpp_blocked: 403,
  signing_unknown: 404,
  signing_withdrawn: 403,
  tpp_blocked: 403,
};

/**
 * Messages shown once, in answer to a form: their address shows something else or redirects, so there is no language
 * switch.
 */
const SAID_ONCE: readonly MessageKey[] = [
  "passkey_blocked",
  "sign_in_blocked",
  "sign_in_late",
  "sign_in_refused",
  "signed_out",
];

/**
 * Counts the call for its address, runs the route, and presents its decision or failure in one language. `go` reports
 * the languages that the application asked for as soon as it knows them.
 */
export async function answerPage(
  parts: AnswerPageParts,
  call: IncomingCall,
  go: (visit: {
    askFor(uiLocales: string | undefined): void;
  }) => Promise<PageAnswer & { readonly path: string }>,
): Promise<Answer> {
  let language = chooseLanguage(call);
  const askFor = (uiLocales: string | undefined) => {
    if (uiLocales !== undefined) language = chooseLanguage(call, uiLocales);
  };
  try {
    countPage(parts, call);
    const { path, ...answer } = await go({ askFor });
    return present(parts, { call, language, path }, answer);
  } catch (error) {
    const failed = { requestId: call.requestId, path: call.path, language };
    const { answer, logFacts } = presentPageError(parts.pages, error, failed);
    return { ...answer, facts: logFacts };
  }
}

/** Converts a step of a sign-in to an answer. */
export function signInAnswer(result: SignInResult): PageAnswer {
  const { cookies = [] } = result;
  switch (result.show) {
    case "nothing":
    case "message":
      return result;
    case "sign-in":
    case "enrolment":
      return {
        show: "page",
        name: result.show,
        cookies,
        faults: result.view.faults,
        render: (pages, to) =>
          result.show === "sign-in" ? pages.signIn(to, result.view) : pages.enrolment(to, result.view),
      };
  }
}

interface Presentation {
  readonly call: IncomingCall;
  readonly language: Language;
  readonly path: string;
}

function present(parts: AnswerPageParts, to: Presentation, answer: PageAnswer): Answer {
  const frame = { language: to.language, switchPath: to.path };
  const headers = setCookies([...rememberLanguage(to), ...(answer.cookies ?? [])]);
  switch (answer.show) {
    case "nothing":
      // 303: a browser must not post the credentials again to the next address (RFC 9700 4.12).
      return { status: 303, headers: { Location: answer.location, ...headers } };
    case "message": {
      const { view } = answer;
      const { language } = to;
      const told = { requestId: to.call.requestId, ...view };
      const html = parts.pages.message(SAID_ONCE.includes(view.message) ? { language } : frame, told);
      const time = view.fillings?.time;
      const said = { message: view.message, until: time instanceof Date ? time : undefined };
      return {
        status: statusOf(said),
        html,
        headers: { ...headers, ...retryAfter(said, parts.clock.now()) },
        facts: { page: view.message },
      };
    }
    case "page": {
      const faults = (answer.faults ?? []).map(({ key }) => key);
      const { said } = answer;
      return {
        status: faults.length === 0 ? statusOf(said) : FORM_AT_FAULT,
        html: answer.render(parts.pages, frame),
        headers: { ...headers, ...(said && retryAfter(said, parts.clock.now())) },
        facts: { page: answer.name, faults },
      };
    }
  }
}

function setCookies(lines: readonly string[]): Record<string, readonly string[]> {
  return lines.length === 0 ? {} : { "Set-Cookie": lines };
}

const statusOf = (said: Said | undefined): number => (said && MESSAGE_STATUS[said.message]) ?? 200;

function retryAfter(said: Said, now: Date): Record<string, string> {
  if (statusOf(said) === 503) return { "Retry-After": "2" };
  if (said.until === undefined) return {};
  return { "Retry-After": String(Math.max(1, Math.ceil((said.until.getTime() - now.getTime()) / 1000))) };
}

function rememberLanguage({ call }: Presentation): readonly string[] {
  const switched = findSwitchedLanguage(call);
  return switched === undefined ? [] : [languageCookie(switched)];
}
