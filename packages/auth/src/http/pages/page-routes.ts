/** The pages of an authorization, and the files of all pages. */
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import { readPostedForm } from "../../forms/posted-form.ts";
import { ownOrigin } from "../../forms/require-own-form.ts";
import { showJourney, takeForm, takeReturn } from "../../journey/dispatch.ts";
import { type FormPurpose, interactionPath } from "../../journey/interaction-path.ts";
import type { JourneyAnswer, JourneyParts, Visit } from "../../journey/journey.ts";
import {
  type PendingAuthorization,
  PendingAuthorizationGone,
  type PendingAuthorizations,
} from "../../journey/pending-authorization.ts";
import type { Pages } from "../../pages/pages.ts";
import { INTERACTION_PATH } from "../../pages/places.ts";
import { type CountingParts, countSignIn, countSignInOfAuthorization } from "../count-visits.ts";
import { answerPage, type PageAnswer, signInAnswer } from "./answer-page.ts";
import { chooseLanguage } from "./choose-language.ts";
import { leadTo } from "./lead-to.ts";
import { KEPT_FOR_EVER, requireAsset } from "./require-asset.ts";

/** What the page routes need. */
export interface PageRouteParts extends JourneyParts, CountingParts {
  readonly pages: Pages;
  readonly pendingAuthorizations: PendingAuthorizations;
}

const INTERACTION = `${INTERACTION_PATH}/:uid`;
const FORMS: readonly FormPurpose[] = ["sign-in", "consent", "cancel"];

/** Makes the routes: the interaction page, its forms, the return from a login elsewhere, and the files of all pages. */
export function createPageRoutes(parts: PageRouteParts): readonly Route[] {
  const page: Route = {
    method: "GET",
    path: INTERACTION,
    handle: (call) => answerVisit(parts, call, { go: (visit) => showJourney(parts, visit) }),
  };
  const forms = FORMS.map(
    (purpose): Route => ({
      method: "POST",
      path: `${INTERACTION}/${purpose}`,
      body: "form",
      handle: (call) =>
        answerVisit(parts, call, {
          ...(purpose === "sign-in" && { admit: () => countSignIn(parts, call) }),
          go: (visit) => takeForm(parts, visit, { purpose, ...readPostedForm(call) }),
        }),
    }),
  );
  const back: Route = {
    method: "GET",
    path: `${INTERACTION}/return`,
    handle: (call) =>
      answerVisit(parts, call, {
        admit: () => countSignIn(parts, call),
        go: (visit) => takeReturn(parts, visit, call.query),
      }),
  };
  // The address bar may show a form's address; a GET of it redirects to the page of the present step.
  const lost = FORMS.map((purpose) => leadTo(`${INTERACTION}/${purpose}`, pathOf));
  const asset: Route = {
    method: "GET",
    path: "/assets/:file",
    handle: async (call) => answerAsset(parts.pages, call.parameters.file),
  };
  return [page, ...forms, back, ...lost, asset];
}

/** How a visit is handled: what may refuse it before any look-up, and what the journey answers. */
interface VisitHandling {
  readonly admit?: () => Promise<void>;
  readonly go: (visit: Visit) => Promise<JourneyAnswer>;
}

/** Finds this browser's pending authorization, runs the journey, and presents its answer. */
function answerVisit(
  parts: PageRouteParts,
  call: IncomingCall,
  { admit, go }: VisitHandling,
): Promise<Answer> {
  return answerPage(parts, call, async ({ askFor }) => {
    await admit?.();
    const path = pathOf(call);
    const pending = await parts.pendingAuthorizations.find(call);
    if (pending === undefined || pending.uid !== call.parameters.uid)
      return { ...nothingPending(call), path };
    askFor(pending.uiLocales);
    return { ...journeyAnswer(await go(visitOf(parts, call, pending))), path };
  });
}

function visitOf(parts: PageRouteParts, call: IncomingCall, pending: PendingAuthorization): Visit {
  const { pendingAuthorizations } = parts;
  const { exchange, requestId } = call;
  const { uid, application, unregisteredScopes } = pending;
  return {
    pending,
    call,
    ownOrigin: ownOrigin(call),
    language: chooseLanguage(call, pending.uiLocales),
    admitNew: () => countSignInOfAuthorization(parts, call),
    finish: {
      answered: () => pendingAuthorizations.answered({ uid, call }),
      signIn: (signIn) => pendingAuthorizations.completeSignIn({ uid, exchange }, signIn),
      consent: (decision) => pendingAuthorizations.completeConsent({ uid, application, requestId }, decision),
      goBack: (why) => pendingAuthorizations.abort({ uid }, why),
      refuse: () => pendingAuthorizations.refuse({ uid, unregisteredScopes }),
    },
  };
}

/** A browser that sends no cookie most likely refuses them, so its page says that. */
function nothingPending(call: IncomingCall): PageAnswer {
  if (call.header("cookie") !== undefined) throw new PendingAuthorizationGone();
  return { show: "message", view: { message: "cookies_missing" } };
}

function journeyAnswer(answer: JourneyAnswer): PageAnswer {
  if (answer.show !== "consent") return signInAnswer(answer);
  const { view } = answer;
  return {
    show: "page",
    name: "consent",
    faults: view.faults,
    render: (pages, frame) => pages.consent(frame, view),
  };
}

function pathOf(call: IncomingCall): string {
  return interactionPath({ uid: call.parameters.uid ?? "" });
}

function answerAsset({ assets }: Pages, file: string | undefined): Answer {
  const asset = requireAsset(assets, file);
  const { contentSecurityPolicy: policy } = asset;
  const headers = {
    "Cache-Control": KEPT_FOR_EVER,
    ...(policy !== undefined && { "Content-Security-Policy": policy }),
  };
  return { status: 200, headers, content: asset };
}
