/** The pages on which a PSU approves or refuses an order: `/sign/:id`, its forms, and its sign-in. */
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import {
  type ApprovalAnswer,
  type ApprovalForm,
  type ApprovalParts,
  type ApprovalVisit,
  approvalPath,
} from "../../approval/approval.ts";
import { showApproval } from "../../approval/show-approval.ts";
import { takeApprovalForm, takeApprovalReturn } from "../../approval/take-approval-form.ts";
import { readPostedForm } from "../../forms/posted-form.ts";
import { ownOrigin } from "../../forms/require-own-form.ts";
import { SIGNING_PATH } from "../../pages/places.ts";
import { parseSigningRequestId } from "../../signing/signing-request-id.ts";
import { countNewSignIn, countSignIn } from "../count-visits.ts";
import { type AnswerPageParts, answerPage, type PageAnswer, signInAnswer } from "./answer-page.ts";
import { chooseLanguage } from "./choose-language.ts";
import { leadTo } from "./lead-to.ts";

/** What the approval pages need. */
export interface ApprovalRouteParts extends AnswerPageParts {
  readonly approval: ApprovalParts;
}

const PAGE = `${SIGNING_PATH}/:id`;
const FORMS: readonly (ApprovalForm | "sign-in")[] = [
  "sign-in",
  "approve",
  "refuse",
  "code",
  "language",
  "cancel",
  "sign-out",
];
/** Forms that are counted: a secret can be guessed with them, or a message sent. */
const COUNTED: readonly (ApprovalForm | "sign-in")[] = ["sign-in", "approve", "code"];

type Go = (visit: ApprovalVisit) => Promise<ApprovalAnswer>;

/**
 * Makes the routes: an order's page, its forms, the return from a login elsewhere, and redirects for GETs of a form's
 * address.
 */
export function createApprovalRoutes(parts: ApprovalRouteParts): readonly Route[] {
  const { approval } = parts;
  const page: Route = {
    method: "GET",
    path: PAGE,
    handle: (call) => answer(parts, call, (visit) => showApproval(approval, visit)),
  };
  const forms = FORMS.map(
    (form): Route => ({
      method: "POST",
      path: `${PAGE}/${form}`,
      body: "form",
      handle: (call) =>
        answer(parts, call, async (visit) => {
          if (COUNTED.includes(form)) await countSignIn(parts, call);
          return takeApprovalForm(approval, visit, { form, posted: readPostedForm(call) });
        }),
    }),
  );
  const back: Route = {
    method: "GET",
    path: `${PAGE}/return`,
    handle: (call) =>
      answer(parts, call, async (visit) => {
        await countSignIn(parts, call);
        return takeApprovalReturn(approval, visit, call.query);
      }),
  };
  const lost = FORMS.map((form) => leadTo(`${PAGE}/${form}`, ({ path }) => path.replace(/\/[^/]*$/, "")));
  return [page, ...forms, back, ...lost];
}

function answer(parts: ApprovalRouteParts, call: IncomingCall, go: Go): Promise<Answer> {
  return answerPage(parts, call, async () => {
    const id = parseSigningRequestId(call.parameters.id);
    if (id === undefined) return { show: "message", view: { message: "signing_unknown" }, path: call.path };
    const admitNew = () => countNewSignIn(parts, call);
    const visit = { id, call, ownOrigin: ownOrigin(call), language: chooseLanguage(call), admitNew };
    return { ...pageAnswer(await go(visit), call), path: approvalPath(visit) };
  });
}

function pageAnswer(answered: ApprovalAnswer, { requestId }: IncomingCall): PageAnswer {
  switch (answered.show) {
    case "order": {
      const { view, cookies = [] } = answered;
      return {
        show: "page",
        name: "order",
        cookies,
        faults: view.faults,
        render: (pages, frame) => pages.order(frame, view),
      };
    }
    case "outcome": {
      const { view } = answered;
      const render: Extract<PageAnswer, { show: "page" }>["render"] = (pages, frame) =>
        pages.outcome(frame, { ...view, requestId });
      const said = { message: view.message, until: view.time };
      return { show: "page", name: view.message, render, said };
    }
    default:
      return signInAnswer(answered);
  }
}
