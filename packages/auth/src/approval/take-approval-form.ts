import type { PostedForm } from "../forms/posted-form.ts";
import { isOwnForm, requireOwnForm } from "../forms/require-own-form.ts";
import { findCookie, PSU_SESSION_COOKIE } from "../psu-session/cookie.ts";
import type { OpenPsuSession } from "../psu-session/psu-session.ts";
import { endedCookies } from "../sign-in/sign-in-page.ts";
import { takeSignInForm, takeSignInReturn } from "../sign-in/take-answer.ts";
import {
  type ApprovalAnswer,
  type ApprovalForm,
  type ApprovalParts,
  type ApprovalVisit,
  approvalPath,
} from "./approval.ts";
import { approveOrder } from "./approve-order.ts";
import { askNewCode } from "./ask-new-code.ts";
import { lead, leadBack, namedHost, type TakeOwnForm } from "./own-form.ts";
import { refuseOrder } from "./refuse-order.ts";
import { findOpen, type OpenApproval, orderBinding, signInVisit } from "./show-approval.ts";
import { switchOrderLanguage } from "./switch-order-language.ts";

/** Table: the forms of the order's own PSU. */
const OWN_FORMS: Readonly<Record<Exclude<ApprovalForm, "cancel" | "sign-out">, TakeOwnForm>> = {
  approve: approveOrder,
  refuse: refuseOrder,
  code: askNewCode,
  language: switchOrderLanguage,
};

/** A form as posted, named by its path. */
interface NamedForm<Form = ApprovalForm> {
  readonly form: Form;
  readonly posted: PostedForm;
}

/**
 * Takes a posted form. A form for a request that is over (from an old tab, the back button, or a second press) changes nothing,
 * and leads to the page with the outcome. Refuses with `form_untrusted` or `form_malformed`.
 *
 * Each form is taken as soon as all that it needs is proven: signing in and cancelling need an order that can be decided;
 * signing out, any session; the forms of the table, the session of the order's own PSU.
 */
export async function takeApprovalForm(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { form, posted }: NamedForm<ApprovalForm | "sign-in">,
): Promise<ApprovalAnswer> {
  const open = await findOpen(parts, visit);
  if ("show" in open) return open.show === "outcome" ? lead(visit) : open;
  if (form === "sign-in") return takeSignInForm(parts.signIn, signInVisit(parts, visit, open), posted);
  if (form === "cancel") return cancel(parts, visit, { open, posted });
  const session = await parts.signIn.sessions.find(visit.call);
  if (session === undefined) return leadToSignIn(parts, visit, { form, posted });
  if (form === "sign-out") return signOut(parts, visit, { session, posted });
  if (session.psu !== open.request.psu) return lead(visit);
  const own = { request: open.request, browser: session.id };
  requireForm(parts, visit, { form, posted, bound: orderBinding(own) });
  const { authenticatedAt } = session;
  return OWN_FORMS[form](parts, visit, { ...open, ...own, authenticatedAt, session, fields: posted.fields });
}

/** Takes the parameters with which a login at another site sends the browser back. */
export async function takeApprovalReturn(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  parameters: URLSearchParams,
): Promise<ApprovalAnswer> {
  const open = await findOpen(parts, visit);
  if ("show" in open) return open.show === "outcome" ? lead(visit) : open;
  return takeSignInReturn(parts.signIn, signInVisit(parts, visit, open), parameters);
}

/** Refuses a form that was not rendered for this place, and for what it is bound to. */
function requireForm(
  { signIn }: ApprovalParts,
  visit: ApprovalVisit,
  { form, posted, bound }: NamedForm & { readonly bound: readonly string[] },
): void {
  requireOwnForm(posted, signIn.formKey, [approvalPath(visit), form, ...bound]);
}

/** Leads back to the TPP with nothing decided, because nobody has proven to be the PSU. */
function cancel(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { open, posted }: { readonly open: OpenApproval; readonly posted: PostedForm },
): ApprovalAnswer {
  requireForm(parts, visit, { form: "cancel", posted, bound: [] });
  return leadBack(visit, { request: open.request, named: namedHost(posted) });
}

/** Signs out another PSU, so that the PSU of the order can sign in instead. */
async function signOut(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { session, posted }: { readonly session: OpenPsuSession; readonly posted: PostedForm },
): Promise<ApprovalAnswer> {
  requireForm(parts, visit, { form: "sign-out", posted, bound: [session.id] });
  const { cookies } = await parts.signIn.sessions.end(visit.call);
  return { show: "nothing", location: approvalPath(visit), cookies };
}

/**
 * Leads to the sign-in, which says that the form was not taken. A sign-out is taken after its session has ended too: the form is
 * bound to the id, which the browser still has.
 */
async function leadToSignIn(
  { signIn: { sessions, formKey } }: ApprovalParts,
  visit: ApprovalVisit,
  { form, posted }: NamedForm,
): Promise<ApprovalAnswer> {
  const location = approvalPath(visit);
  if (form !== "sign-out")
    return { show: "nothing", location, cookies: endedCookies({ kind: "signing", id: visit.id }, posted) };
  const id = findCookie(visit.call, PSU_SESSION_COOKIE);
  if (id === undefined || !isOwnForm(posted, formKey, [location, form, id]))
    return { show: "nothing", location };
  return { show: "nothing", location, ...(await sessions.end(visit.call)) };
}
